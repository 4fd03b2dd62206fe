// Pure parts of the tools on the stage: grids, places as typed, what a pixel means, angles.
import { PerspectiveCamera, Vector3 } from "three";
import { describe, expect, it } from "vitest";
import { Space } from "../../src/view/space";
import { placeText, snapped, typedPlace, usualPlane } from "../../studio/stage/tools/plane";
import { fitting } from "../../studio/stage/tools/prompt";
import { frameAt } from "../../studio/stage/tools/snapping";
import { across, angleAt, type Axis, onCircle } from "../../studio/stage/tools/turning";

function spaceFrom(x: number, y: number, z: number): Space {
  const camera = new PerspectiveCamera(32, 2, 0.1, 100);
  camera.position.set(x, y, z);
  camera.lookAt(0, 0, 0);
  camera.updateMatrixWorld();
  const canvas = { clientWidth: 800, clientHeight: 400 } as HTMLCanvasElement;
  return new Space(canvas, camera);
}

describe("places", () => {
  it("snap to a grid without digits of rounding", () => {
    expect(snapped(0.31, 0.1)).toBe(0.3);
    expect(snapped(-0.04, 0.1)).toBe(0);
    expect(Object.is(snapped(-0.01, 0.1), 0)).toBe(true);
    expect(snapped(0.123456, 0.002)).toBe(0.124);
  });

  it("can be typed", () => {
    expect(typedPlace("0.5, 0.2")).toEqual([0.5, 0.2, 0]);
    expect(typedPlace("[1 2 -3]")).toEqual([1, 2, -3]);
    expect(typedPlace("tip")).toBeNull();
    expect(typedPlace("1")).toBeNull();
    expect(typedPlace("1, 2, 3, 4")).toBeNull();
    expect(placeText([0.1 + 0.2, 0, -1])).toBe("[0.3, 0, -1]");
  });

  it("lie in a plane in which things fall", () => {
    expect(usualPlane([0, -9.81, 0])).toBe("xy");
    expect(usualPlane([0, 0, -9.81])).toBe("xz");
    expect(usualPlane([0, 0, 0])).toBe("xy");
  });
});

describe("options", () => {
  const options = ["ground", "bob", "bob.tip"].map((label) => ({
    label,
    text: "a place",
    value: label,
  }));
  it("keep their order without text, and are narrowed by it", () => {
    expect(fitting(options, "").map((o) => o.label)).toEqual(["ground", "bob", "bob.tip"]);
    expect(fitting(options, "tip")[0].label).toBe("bob.tip");
    expect(fitting(options, "nothing")).toEqual([]);
  });
});

describe("the pointer", () => {
  it("is caught by the nearest frame, by the first of those as near", () => {
    const frame = (name: string, x: number) => ({
      ...{ name, at: new Vector3(), pixel: [x, 0] as [number, number] },
    });
    const frames = [frame("ground", 0), frame("bob", 0), frame("bob.tip", 20)];
    expect(frameAt(frames, [2, 2])?.name).toBe("ground");
    expect(frameAt(frames, [17, 0])?.name).toBe("bob.tip");
    expect(frameAt(frames, [60, 0])).toBeNull();
  });

  it("means the point of a plane that it is over", () => {
    const space = spaceFrom(0.5, 0.4, 6);
    const point = new Vector3(0.7, -0.3, 0);
    const pixel = space.project(point)!;
    const found = space.onPlane(pixel, new Vector3(), new Vector3(0, 0, 1))!;
    expect(found.distanceTo(point)).toBeLessThan(1e-9);
  });

  it("means how far along a line", () => {
    const space = spaceFrom(1, 2, 6);
    const direction = new Vector3(1, 0, 0);
    const pixel = space.project(new Vector3(0.8, 0.2, 0))!;
    expect(space.alongLine(pixel, new Vector3(0, 0.2, 0), direction)).toBeCloseTo(0.8, 9);
  });
});

describe("angles", () => {
  const axis: Axis = {
    centre: new Vector3(0.2, 0.1, 0),
    direction: new Vector3(0, 0, 1),
    zero: across(new Vector3(0, 0, 1)),
  };

  it.each([0, 30, 175, 200, -90, 380])("follow the pointer beyond a turn: %d", (degrees) => {
    const space = spaceFrom(1, 1, 6);
    const angle = (degrees * Math.PI) / 180;
    const pixel = space.project(onCircle(axis, 0.4, angle))!;
    expect(angleAt(space, axis, pixel, angle - 0.3, 0.4)).toBeCloseTo(angle, 6);
  });

  it("follow it along a circle that is seen from its side", () => {
    const space = spaceFrom(0, 6, 0.001);
    const pixel = space.project(onCircle(axis, 0.4, 1.0))!;
    expect(angleAt(space, axis, pixel, 0.9, 0.4)).toBeCloseTo(1.0, 1);
  });

  it("are measured from a direction across the axis", () => {
    for (const direction of [new Vector3(1, 0, 0), new Vector3(0, 1, 0), new Vector3(1, 2, 3)]) {
      direction.normalize();
      expect(across(direction).dot(direction)).toBeCloseTo(0, 12);
      expect(across(direction).length()).toBeCloseTo(1, 12);
    }
  });
});
