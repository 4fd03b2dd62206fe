"""Sensors: registered in `SENSORS` under the name files use."""

from pliant.model.sensors.between import DistanceSensor, MotionSensor
from pliant.model.sensors.sensing import Sensing

Sensor = DistanceSensor | MotionSensor
SENSORS: dict[str, type[Sensor]] = {
    "distance": DistanceSensor,
    "motion": MotionSensor,
}

__all__ = ["SENSORS", "DistanceSensor", "MotionSensor", "Sensing", "Sensor"]
