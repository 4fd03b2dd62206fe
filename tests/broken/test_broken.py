"""Broken model files: each gives one clear message naming the element and the cure."""

from __future__ import annotations

from pathlib import Path

import pytest

from pliant.errors import InputError, ModelError
from pliant.model.files import load

HERE = Path(__file__).parent

# file: (who the message names, a key phrase of it)
EXPECTED = {
    "unknown_body.yaml": ("joint 'O'", "did you mean 'crank'?"),
    "unknown_frame.yaml": ("joint 'O'", "body 'crank' has no frame 'B'"),
    "unknown_ground_frame.yaml": ("joint 'O'", "ground has no frame 'P'"),
    "unknown_joint.yaml": ("force 'motor'", "no joint 'Q'"),
    "unknown_parameter.yaml": ("body 'crank'", "did you mean 'length'?"),
    "unknown_signal.yaml": ("force 'push'", "did you mean 'wind'?"),
    "unknown_coordinate.yaml": ("driver 'spin'", "no coordinate 'angel'"),
    "unknown_joint_kind.yaml": ("joint 'O'", "did you mean 'revolute'?"),
    "unknown_force_kind.yaml": ("force 's'", "did you mean 'spring'?"),
    "unknown_body_kind.yaml": ("body 'crank'", "the kind of body is missing"),
    "unknown_section.yaml": ("model", "unknown key 'joint'; did you mean 'joints'?"),
    "unknown_option.yaml": ("body 'crank'", "unknown key 'mas'"),
    "unknown_function.yaml": ("force 'push'", "unknown function 'sine'"),
    "unknown_unit.yaml": ("body 'crank'", "unknown unit 'stone'"),
    "unknown_observable.yaml": ("simulate", "did you mean 'crank'?"),
    "force_reads_internal_force.yaml": ("force 'push'", "outputs and events may read forces in"),
    "unknown_output_element.yaml": ("output 'height'", "unknown name 'tip.position.z'"),
    "wrong_unit_mass.yaml": ("body 'crank'", "mass: '3 mm' has the wrong unit; expected kg"),
    "wrong_unit_speed.yaml": ("joint 'O'", "expected rad/s"),
    "wrong_unit_stiffness.yaml": ("force 's'", "expected N*m/rad"),
    "wrong_unit_parameter.yaml": ("body 'crank'", "the parameter 'l' is '20 cm'"),
    "formula_unit.yaml": (
        "force 'motor'",
        "effort: '-kd*O.angle_rate' is in N*s/m, not in N*m; kd = 6 kg would have to be in N*m*s",
    ),
    "formula_unit_sum.yaml": (
        "force 'motor'",
        "effort: '-kp*O.angle' is in N*m, but 'kd*O.angle_rate' in N*s/m",
    ),
    "formula_unit_argument.yaml": (
        "force 'motor'",
        "'omega*t' in sin(...) is in m; an angle or a pure number may stand there",
    ),
    "parameter_unit_sum.yaml": ("parameter 'reach'", "'arm' is in m, but 'load' in kg"),
    "parameter_unit_through.yaml": (
        "body 'crank'",
        "at[3]: 'area' is in m^2, not in m; check the unit of area = arm**2",
    ),
    "initial_unit_parameter.yaml": ("joint 'O'", "the parameter 'arm' is '20 cm', the wrong unit"),
    "wrong_unit_driver.yaml": ("driver 'spin'", "expected rad/s"),
    "duplicate_key.yaml": ("joints", "'O' is given twice"),
    "duplicate_key.json": ("model", "'name' is given twice"),
    "duplicate_name.yaml": ("joint 'crank'", "a body has the same name"),
    "frame_cycle.yaml": ("body 'crank'", "A -> B -> C -> A"),
    "frame_on_unknown.yaml": ("body 'crank'", "frame 'A' is on an unknown frame 'B2'"),
    "formula_circle.yaml": ("formula 'a'", "it reads itself: a -> b -> c -> a"),
    "named_formula_unit.yaml": ("formula 'travel'", "SI units, not in mm; write unit: m"),
    "formula_reads_reaction.yaml": (
        "force 'motor'",
        "reads 'grip', which reads 'O.force.x'; it follows from the forces",
    ),
    "gear_ratio_zero.yaml": ("constraint 'mesh'", "ratio is 0: the input would not move"),
    "gear_with_itself.yaml": (
        "constraint 'mesh'",
        "it holds nothing: both sides always move alike",
    ),
    "gear_ratio_unit.yaml": ("constraint 'mesh'", "'3 N' has the wrong unit; expected rad/m"),
    "coupling_offset_unit.yaml": (
        "constraint 'cam'",
        "offset: the parameter 'load' is '3 N', the wrong unit; expected m",
    ),
    "gear_of_rates.yaml": (
        "constraint 'mesh'",
        "input: 'A.angle_rate' reads the velocity 'A.angle_rate'",
    ),
    "gear_without_place.yaml": (
        "constraint 'mesh'",
        "offset is missing: initial values do not tell 'a.position.x'",
    ),
    "rack_radius_zero.yaml": ("constraint 'mesh'", "radius is 0: the rack would not move"),
    "coupling_of_time.yaml": ("constraint 'mesh'", "position: 'sin(t)' reads no position"),
    "parameter_cycle.yaml": ("parameter 'a'", "a -> b -> c -> a"),
    "parameter_unknown.yaml": ("parameter 'a'", "unknown name 'bb'"),
    "parameter_division_by_zero.yaml": ("parameter 'b'", "no finite value"),
    "parameter_reads_time.yaml": ("body 'crank'", "it may read parameters only"),
    "negative_mass.yaml": ("body 'crank'", "mass is -1 kg, below zero"),
    "negative_mass_parameter.yaml": ("body 'crank'", "mass is -2 kg"),
    "massless_with_inertia.yaml": ("body 'crank'", "the mass is 0 but the inertia is not"),
    "massless_floating.yaml": ("body 'ghost'", "no joint holds it"),
    "massless_free.yaml": ("body 'crank'", "no joint holds it"),
    "inertia_triangle.yaml": ("body 'crank'", "triangle rule"),
    "inertia_negative.yaml": ("body 'crank'", "not positive"),
    "inertia_about_origin.yaml": ("body 'crank'", "not positive"),
    "inertia_four_numbers.yaml": ("body 'crank'", "give [xx, yy, zz]"),
    "mass_missing.yaml": ("body 'crank'", "mass is missing"),
    "mass_and_density.yaml": ("body 'crank'", "give exactly one"),
    "beam_large_options.yaml": (
        "body 'rod'",
        "shapes, type, geometric_stiffness, floating_frame mean nothing with theory exact",
    ),
    "beam_axis_curvature.yaml": (
        "body 'rod'",
        "both axis and curvature are given; keep one of them",
    ),
    "beam_axis_length.yaml": (
        "body 'rod'",
        "length is 1.2 m, that of the axis through its points 1 m",
    ),
    "beam_axis_one_point.yaml": (
        "body 'rod'",
        "axis: points: a list of 1 stands where points are expected",
    ),
    "beam_axis_same_points.yaml": ("body 'rod'", "axis: points 2 and 3 are the same"),
    "beam_axis_up.yaml": ("body 'rod'", "from point 2 to 3 it runs along up, so that z is open"),
    "beam_axis_modal.yaml": ("body 'rod'", "a beam of theory modal is straight"),
    "beam_no_section.yaml": ("body 'rod'", "its section is missing"),
    "beam_two_sources.yaml": ("body 'rod'", "section and stiffness are given; keep one"),
    "beam_no_material.yaml": ("body 'rod'", "material is missing"),
    "beam_unknown_material.yaml": ("body 'rod'", "no material 'steal'; did you mean 'steel'?"),
    "beam_length_missing.yaml": ("body 'rod'", "length is missing"),
    "beam_length_negative.yaml": ("body 'rod'", "length is -1 m, not above zero"),
    "beam_radius_negative.yaml": ("body 'rod'", "section: radius is -0.003"),
    "beam_tube_inner.yaml": ("body 'rod'", "make the inner one smaller"),
    "beam_i_web.yaml": ("body 'rod'", "do not fit"),
    "beam_unknown_section.yaml": ("body 'rod'", "unknown section 'cirle'; did you mean 'circle'?"),
    "beam_section_unit.yaml": (
        "body 'rod'",
        "circle: radius: '3 kg' has the wrong unit; expected m",
    ),
    "beam_stations.yaml": ("body 'rod'", "give increasing fractions from 0 to 1"),
    "beam_station_kinds.yaml": ("body 'rod'", "circle and tube cannot be interpolated"),
    "beam_station_negative.yaml": ("body 'rod'", "sections at 1: radius is -0.004, not above zero"),
    "beam_theory_elements.yaml": (
        "body 'rod'",
        "theory: exact: elements: 0 is not a number of elements; give a whole number from 1",
    ),
    "beam_theory_segments.yaml": (
        "body 'rod'",
        "theory: segments: directions: 'twist' is not a direction",
    ),
    "beam_theory_unknown.yaml": ("body 'rod'", "did you mean 'modal'?"),
    "beam_no_shapes.yaml": ("body 'rod'", "write theory: rigid"),
    "beam_shapes_negative.yaml": (
        "body 'rod'",
        "shapes: bending: count -2 is not a whole number",
    ),
    "beam_shapes_formula.yaml": ("body 'rod'", "count 'n' is not a whole number"),
    "beam_shapes_family.yaml": ("body 'rod'", "did you mean 'clamped-free'?"),
    "beam_shapes_twice.yaml": ("body 'rod'", "given for both planes and again for one"),
    "beam_shapes_interfaces.yaml": ("body 'rod'", "3 interfaces need 4"),
    "beam_torsion_without_gj.yaml": ("body 'rod'", "torsion needs GJ"),
    "beam_timoshenko_without_shear.yaml": ("body 'rod'", "timoshenko bending_y needs GAy"),
    "beam_timoshenko_rotary.yaml": ("body 'rod'", "leaves sections massless; write full"),
    "beam_stiffness_without_mass.yaml": ("body 'rod'", "mass_per_length is missing"),
    "beam_stiffness_negative.yaml": ("body 'rod'", "EIy is -10, not above zero"),
    "beam_torsion_massless.yaml": (
        "body 'rod'",
        "torsion has no inertia with rotary_inertia: none",
    ),
    "beam_rolls.yaml": ("body 'rod'", "free to roll about its axis"),
    "beam_rolls_direct.yaml": ("body 'rod'", "give rotary: {rhoIy: , rhoIz: }"),
    "beam_frame_outside.yaml": ("body 'rod'", "frame 'P' is at x = 1.2 m, beyond the beam"),
    "beam_frame_node.yaml": ("body 'rod'", "only modes have nodes"),
    "beam_frame_name.yaml": ("body 'rod'", "frame 'v2' has the name of an elastic coordinate"),
    "beam_length_unknown.yaml": ("body 'rod'", "length: unknown name 'll'"),
    "beam_rotary_missing.yaml": ("body 'rod'", "rotary_inertia: full needs rotary inertia"),
    "beam_floating_unknown.yaml": ("body 'rod'", "did you mean 'mass-centre'?"),
    "beam_floating_outside.yaml": ("body 'rod'", "at 1.5 is not on the beam"),
    "beam_joint_on_floating.yaml": ("joint 'O'", "attach it to rod.root or rod.tip"),
    "beam_force_on_floating.yaml": ("force 'push'", "no point of the body follows"),
    "beam_damping.yaml": ("body 'rod'", "damping: -0.1 is below zero"),
    "beam_damping_unit.yaml": ("body 'rod'", "stiffness: '1 mm' has the wrong unit; expected s"),
    "beam_damping_many.yaml": ("body 'rod'", "2 ratios for 1 elastic coordinates"),
    "beam_damping_motion.yaml": ("body 'rod'", "did you mean 'bending'?"),
    "beam_damping_motion_shapes.yaml": ("body 'rod'", "torsion: the beam has no shapes for it"),
    "beam_damping_motion_many.yaml": ("body 'rod'", "bending: 2 ratios for 1 elastic coordinates"),
    "beam_damping_motion_twice.yaml": ("body 'rod'", "the damping of bending_y is given twice"),
    "beam_damping_motion_mixed.yaml": ("body 'rod'", "stiffness stands beside kinds of motion"),
    "beam_damping_shear.yaml": ("body 'rod'", "shear: shear has no modes of its own"),
    "beam_damping_segments.yaml": ("body 'rod'", "its segments do not move in this direction"),
    "beam_damping_segments_many.yaml": ("body 'rod'", "4 ratios for at most 3 modes"),
    "beam_exact_massless.yaml": ("body 'blade'", "rotary_inertia: none leaves sections massless"),
    "beam_damping_exact.yaml": ("body 'rod'", "shear: shear has no modes of its own"),
    "beam_initial_elastic.yaml": ("body 'rod'", "no elastic coordinate 'v4'"),
    "beam_initial_unit.yaml": ("body 'rod'", "expected m/s"),
    "beam_key_inside.yaml": ("body 'rod'", "write it beside beam"),
    "beam_key_beside.yaml": ("body 'rod'", "write it inside beam"),
    "force_key_inside.yaml": ("force 'spring'", "write it beside joint_spring"),
    "joint_key_beside.yaml": ("joint 'slide'", "write it inside prismatic"),
    "material_twice.yaml": ("material 'steel'", "both nu and G are given"),
    "material_nu.yaml": ("material 'steel'", "nu is 0.8"),
    "material_no_density.yaml": ("body 'rod'", "material 'steel' has no density"),
    "material_no_shear.yaml": ("body 'rod'", "has neither nu nor G, which torsion needs"),
    "modes_missing.yaml": ("body 'plate'", "none.json: No such file"),
    "modes_bad_arrays.yaml": (
        "body 'plate'",
        "modes_bad.json: stiffness has shape (2, 2); give (1, 1)",
    ),
    "modes_no_node.yaml": ("body 'plate'", "nodes are numbered from 0 to 1"),
    "modes_frame_placed.yaml": ("body 'plate'", "frame 'A' is not at a node"),
    "modes_joint_on_body.yaml": ("joint 'O'", "attach it to a frame at a node of 'plate'"),
    "modes_dynamic.yaml": ("body 'plate'", "needs tables that the file does not have"),
    "modes_second_order.yaml": ("body 'plate'", "needs second_order, which the file does not have"),
    "modes_floating_node.yaml": ("body 'plate'", "only if the file gives rotations"),
    "modes_chord_word.yaml": ("body 'plate'", "known: as-given, mass-centre, principal-axis"),
    "modes_chord_itself.yaml": ("body 'plate'", "chord from node 1 to itself"),
    "modes_chord_three.yaml": ("body 'plate'", "is not two nodes; write {chord: [3, 17]}"),
    "modes_chord_node.yaml": ("body 'plate'", "floating_frame: there is no node 5"),
    "modes_chord_rotations.yaml": ("body 'plate'", "only if the file gives rotations"),
    "mesh_missing.yaml": ("body 'crank'", "none.stl: No such file or directory; check the path"),
    "mesh_unreadable.yaml": ("body 'crank'", "no_mesh.obj: not a mesh"),
    "mesh_without_file.yaml": ("body 'crank'", "mesh: file is missing"),
    "formula_malformed.yaml": ("body 'crank'", "is not closed"),
    "formula_two_operators.yaml": ("body 'crank'", "column 3"),
    "formula_code.yaml": ("body 'crank'", "column"),
    "formula_attribute.yaml": ("body 'crank'", "is not a name"),
    "formula_comma.yaml": ("line 4", "put formulas with a comma in quotes"),
    "formula_deep.yaml": ("body 'crank'", "nested"),
    "formula_table.yaml": ("force 'push'", "the abscissae must increase"),
    "formula_overflow.yaml": ("body 'crank'", "no finite value"),
    "number_nan.yaml": ("body 'crank'", "mass"),
    "number_nan_word.yaml": ("body 'crank'", "is not a number"),
    "number_inf.yaml": ("body 'crank'", "finite"),
    "number_huge.yaml": ("body 'crank'", "too large"),
    "number_overflowing.yaml": ("body 'crank'", "finite"),
    "number_endless.yaml": ("body 'crank'", "finite"),
    "number_nan.json": ("number_nan.json", "give a finite number"),
    "locks_nothing.yaml": ("joint 'O'", "nothing is locked"),
    "locks_unknown.yaml": ("joint 'O'", "'rw' is no motion; known: rx"),
    "locks_twice.yaml": ("joint 'O'", "'x' is there twice"),
    "locks_word.yaml": ("joint 'O'", "'x' stands where a list is expected"),
    "locks_coordinates.yaml": ("joint 'O'", "coordinates: euler313, but rz is locked"),
    "locks_missing.yaml": ("joint 'O'", "locked is missing"),
    "pin_slot_axes.yaml": ("joint 'O'", "axis and slot of a pin in a slot are not perpendicular"),
    "angle_of_quaternion.yaml": (
        "force 's'",
        "tell its rotation in angles: coordinates: euler313 or bryant123",
    ),
    "angle_not_said.yaml": ("force 's'", "add coordinate: one of angle1, angle2, angle3"),
    "angle_fourth.yaml": ("driver 'd'", "has no coordinate 'angle4'"),
    "angle_driven_twice.yaml": ("driver 'e'", "angle2 is already driven by 'd'"),
    "angle_rate_of_quaternion.yaml": ("joint 'O'", "initial: no coordinate 'angle1_rate'"),
    "angle_stiffness_unit.yaml": ("force 's'", "has the wrong unit; expected N*m/rad"),
    "network_on_an_angle.yaml": ("element 'drive.shaft'", "angle3 of 'S' is told by its pose"),
    "axis_zero.yaml": ("joint 'O'", "axis"),
    "axis_two_numbers.yaml": ("joint 'O'", "axis"),
    "axis_word.yaml": ("joint 'O'", "axis"),
    "quaternion_zero.yaml": ("body 'crank'", "zero length"),
    "orientation_unknown.yaml": ("body 'crank'", "is not an orientation"),
    "orientation_parallel.yaml": ("body 'crank'", "parallel"),
    "drivers_contradict.yaml": ("driver 'two'", "already driven by 'one'"),
    "frame_drivers_contradict.yaml": ("driver 'two'", "already driven by 'one'"),
    "driver_reads_state.yaml": ("driver 'spin'", "may read t, parameters and signals only"),
    "driver_on_fixed.yaml": ("driver 'spin'", "has no scalar coordinate"),
    "driver_coordinate_unclear.yaml": ("driver 'spin'", "angle, displacement"),
    "driver_without_motion.yaml": ("driver 'spin'", "no motion is given"),
    "driver_of_nothing.yaml": ("driver 'spin'", "neither a joint nor a frame"),
    "joint_to_itself.yaml": ("joint 'O'", "joins 'crank' to itself"),
    "joint_same_frame.yaml": ("joint 'O'", "joins 'crank' to itself"),
    "joint_one_end.yaml": ("joint 'O'", "write between: [frame, frame]"),
    "joint_no_ends.yaml": ("joint 'O'", "between is missing"),
    "initial_unknown.yaml": ("joint 'O'", "no coordinate 'displacement'"),
    "pitch_missing.yaml": ("joint 'O'", "pitch is missing"),
    "distance_negative.yaml": ("joint 'D'", "not above zero"),
    "springs_negative.yaml": ("joint 'O'", "springs: stiffness is -1, not above zero"),
    "springs_missing.yaml": ("joint 'O'", "springs: rotational_stiffness is missing"),
    "springs_damping.yaml": ("joint 'O'", "springs: damping is -1, below zero"),
    "springs_on_free.yaml": ("joint 'O'", "it holds nothing"),
    "springs_in_tree.yaml": ("joint 'O'", "cut is false"),
    "springs_word.yaml": ("joint 'O'", "did you mean 'stiffness'?"),
    "springs_unit.yaml": ("joint 'O'", "expected N/m"),
    "spring_without_ends.yaml": ("force 's'", "between is missing"),
    "spring_same_end.yaml": ("force 's'", "both ends"),
    "bushing_matrix.yaml": ("force 'b'", "6x6"),
    "force_two_components.yaml": ("force 'push'", "give 3 numbers"),
    "force_nowhere.yaml": ("force 'push'", "at is missing"),
    "force_axes.yaml": ("force 'push'", "did you mean 'world'?"),
    "friction_speed.yaml": ("force 'f'", "speed is 0"),
    "event_constant.yaml": ("event 'never'", "never crosses zero"),
    "event_equality.yaml": ("event 'there'", "has no crossing"),
    "event_without_when.yaml": ("event 'never'", "when is missing"),
    "signal_unsorted.yaml": ("signal 'wind'", "the times do not increase"),
    "signal_file_missing.yaml": ("signal 'wind'", "relative to the model file"),
    "signal_no_data.yaml": ("signal 'wind'", "its data is missing"),
    "time_reversed.yaml": ("simulate", "t_end is 1 s, not after t_start"),
    "constraint_kind.yaml": ("constraint 'blade'", "did you mean 'skate'?"),
    "constraint_same_body.yaml": ("constraint 'blade'", "both frames are on 'cart'"),
    "constraint_frame.yaml": ("constraint 'blade'", "body 'cart' has no frame 'tip'"),
    "constraint_no_velocity.yaml": ("constraint 'blade'", "reads no velocity"),
    "constraint_nonlinear.yaml": ("constraint 'blade'", "not linear in velocities"),
    "constraint_reciprocal.yaml": ("constraint 'blade'", "not linear in velocities"),
    "rolling_radius.yaml": ("constraint 'roll'", "radius is missing"),
    "rolling_radius_negative.yaml": ("constraint 'roll'", "radius is -1 m, below zero"),
    "rolling_twice.yaml": ("constraint 'roll'", "radius and at are both given; keep one"),
    "rolling_at.yaml": ("constraint 'roll'", "at: body 'cart' has no frame 'rim'"),
    "speed_nonlinear.yaml": ("speed 'w'", "not linear in velocities"),
    "speed_time.yaml": ("speed 'w'", "reads 't'; a speed is a formula of positions"),
    "speed_no_velocity.yaml": ("speed 'w'", "'track.x' reads no velocity"),
    "speed_name.yaml": ("speed 'w'", "a parameter has the same name"),
    "speed_output.yaml": ("speed 'w'", "an output has the same name"),
    "speed_unknown.yaml": ("speed 'w'", "did you mean 'track.y_rate'?"),
    "tolerance_negative.yaml": ("simulate", "rtol is -1e-06"),
    "settings_type.yaml": ("simulate", "method"),
    "empty_model.yaml": ("model", "it has no bodies"),
    "empty_file.yaml": ("empty_file.yaml", "the file is empty"),
    "comments_only.yaml": ("comments_only.yaml", "the file is empty"),
    "truncated.yaml": ("truncated.yaml", "is the file complete?"),
    "truncated.json": ("truncated.json", "is the file complete?"),
    "not_a_mapping.yaml": ("not_a_mapping.yaml", "not a mapping"),
    "not_a_mapping.json": ("not_a_mapping.json", "not a mapping"),
    "just_text.yaml": ("just_text.yaml", "not a mapping"),
    "version_missing.yaml": ("model", "begin with 'pliant: 1'"),
    "version_wrong.yaml": ("model", "write pliant: 1"),
    "bodies_list.yaml": ("model", "bodies: a list of 2 stands where a mapping is expected"),
    "body_number.yaml": ("body 'crank'", "stands where a mapping is expected"),
    "gravity_number.yaml": ("model", "gravity"),
    "frames_list.yaml": ("body 'crank'", "frames"),
    "name_illegal.yaml": ("body 'big-end'", "use letters, digits and _"),
    "name_reserved.yaml": ("parameter 't'", "reserved"),
    "name_ground.yaml": ("body 'ground'", "reserved"),
    "name_time.yaml": ("output 'time'", "reserved"),
    "shape_below_zero.yaml": ("body 'rod'", "length is -0.5, not above zero"),
    "tag.yaml": ("tag.yaml", "is not allowed"),
    "alias_bomb.yaml": ("alias_bomb.yaml", "more than"),
    "deep.yaml": ("deep.yaml", "levels deep"),
    "deep.json": ("deep.json", "nested"),
    "two_documents.yaml": ("two_documents.yaml", "several YAML documents"),
    "tabs.yaml": ("tabs.yaml", "not valid YAML"),
    "binary.yaml": ("binary.yaml", "not a text file"),
    "latin.yaml": ("latin.yaml", "UTF-8"),
    "network_unknown_kind.yaml": ("element 'drive.r'", "unknown kind 'Rr'; did you mean 'R'?"),
    "network_unknown_key.yaml": (
        "element 'drive.L'",
        "unknown key 'initail'; did you mean 'initial'?",
    ),
    "network_unknown_law.yaml": (
        "element 'drive.r'",
        "R: unknown key 'efort'; did you mean 'effort'?",
    ),
    "network_unknown_domain.yaml": ("network 'drive'", "did you mean 'electrical'?"),
    "network_unknown_junction.yaml": (
        "element 'drive.L'",
        "on: there is no junction 'mash'; did you mean 'mesh'?",
    ),
    "network_not_a_junction.yaml": ("element 'drive.L'", "on: 'r' is not a junction"),
    "network_not_connected.yaml": (
        "element 'drive.lost'",
        "the junction is not connected; bond elements to it",
    ),
    "network_without_junction.yaml": ("element 'drive.C'", "on is missing; write on: a junction"),
    "network_one_side.yaml": ("element 'drive.k'", "to is missing; write to: a junction"),
    "network_no_elements.yaml": ("network 'drive'", "every element is missing"),
    "network_elements_list.yaml": (
        "network 'drive'",
        "elements: a list of 2 stands where a mapping is expected",
    ),
    "network_bond_end.yaml": ("bond 'drive.b'", "to: there is no element 'R2'"),
    "network_bond_dim.yaml": ("bond 'drive.b'", "it has 3 components, 'mesh' has 1"),
    "network_domains.yaml": (
        "bond 'drive.b'",
        "it joins electrical and rotation; put a TF or GY between them",
    ),
    "network_sizes.yaml": (
        "element 'drive.m'",
        "I: a list of 2 for 3 components; give 3 numbers, or 3 rows of 3",
    ),
    "network_matrix.yaml": (
        "element 'drive.T'",
        "TF: a matrix of 1 x 3 where 3 x 1 is needed; give 3 rows of 1",
    ),
    "network_unit.yaml": ("element 'drive.L'", "I: '50 mF' has the wrong unit; expected H"),
    "network_unit_ratio.yaml": (
        "element 'drive.k'",
        "GY: '2 V' has the wrong unit; expected N*m per A",
    ),
    "network_law_unit.yaml": (
        "element 'drive.r'",
        "R: effort: 'R*f' is in V, but 'i0*f' in A^2; only what has one unit can be added",
    ),
    "network_ratio_turned.yaml": (
        "element 'hoist.drum'",
        "TF: '1/r with r = 100 mm' is turned round; expected m/s per rad/s",
    ),
    "network_part_unit.yaml": (
        "element 'drive.gear.teeth'",
        "'1/ratio with ratio = 3 m' has the wrong unit; expected rad/s per rad/s",
    ),
    "network_store_joint.yaml": (
        "element 'drive.gap'",
        "reads 'O.displacement', but must be constant; give energy, a formula of q",
    ),
    "network_store_reads.yaml": (
        "element 'plate.k'",
        "reads 'plate.c.displacement', but must be constant; one C on several junctions",
    ),
    "network_formula.yaml": ("element 'drive.E'", "unknown name 'V'; define the parameter 'V'"),
    "network_formula_state.yaml": (
        "element 'drive.E'",
        "unknown name 'L.flo'; did you mean 'L.flow'?",
    ),
    "network_parameter_cycle.yaml": ("network 'drive'", "parameter 'a' depends on itself"),
    "network_parameter_state.yaml": (
        "network 'drive'",
        "parameter 'a' reads 'L.flow'; a parameter may read parameters only",
    ),
    "network_momentum.yaml": (
        "element 'drive.L'",
        "I: momentum and coenergy are given; keep one: momentum is the derivative of coenergy",
    ),
    "network_momentum_joint.yaml": (
        "element 'drive.coil'",
        "reads 'O.displacement', but must be constant; give coenergy, a formula of f",
    ),
    "network_inertia_varies.yaml": ("element 'drive.L'", "I: reads 't', but must be constant"),
    "network_capacity_zero.yaml": ("element 'drive.C'", "the capacity is 0, not above zero"),
    "network_power.yaml": (
        "element 'drive.x'",
        "its efforts have a power, which a junction structure has not; write MR or R",
    ),
    "network_elastic.yaml": (
        "element 'drive.eta'",
        "elastic: 'arm' has no elastic coordinates; name a beam of modal theory",
    ),
    "network_joint.yaml": ("element 'drive.w'", "no joint 'Q'"),
    "network_coordinate.yaml": (
        "element 'drive.w'",
        "joint 'O' has no coordinate 'angel'; did you mean 'angle'?",
    ),
    "network_joint_fixed.yaml": (
        "element 'drive.w'",
        "joint 'O' is fixed and has no scalar coordinate",
    ),
    "network_joint_unclear.yaml": (
        "element 'drive.w'",
        "add coordinate: one of angle, displacement",
    ),
    "network_frame.yaml": (
        "element 'drive.w'",
        "frame: body 'arm' has no frame 'top'; did you mean 'tip'?",
    ),
    "network_name.yaml": ("network 'arm'", "a body has the same name"),
    "network_names_twice.yaml": ("bond 'drive.L'", "an element has the same name"),
    "network_part.yaml": (
        "element 'drive.M'",
        "part: there is no sub-graph 'dc-moter'; did you mean 'dc-motor'?",
    ),
    "network_part_file.yaml": (
        "element 'drive.M'",
        "none.yaml: No such file or directory; check the path",
    ),
    "network_part_port.yaml": (
        "element 'drive.M'",
        "ports: 'voltage-source' has no port 'shaft'; known: terminals",
    ),
    "network_part_open.yaml": (
        "element 'drive.M'",
        "port 'shaft' of 'dc-motor' is not joined to anything; write ports: {shaft: a junction}",
    ),
    "network_part_parameter.yaml": (
        "element 'drive.M'",
        "with: 'voltage-source' has no parameter 'Ri'",
    ),
    "network_part_missing.yaml": (
        "element 'drive.M'",
        "'voltage-source' needs its parameter 'V'; write with: {V: ...}",
    ),
    "network_part_domain.yaml": (
        "element 'drive.M'",
        "ports: line is hydraulic, 'mesh' is electrical",
    ),
    "network_part_itself.yaml": ("subgraph 'a'", "a sub-graph is part of itself: a -> b -> a"),
    "network_stroke.yaml": (
        "bond 'drive.b'",
        "stroke: 'd' is not at an end of it; write mesh or c",
    ),
    "wrong_suffix.txt": ("wrong_suffix.txt", "name it .yaml"),
}


@pytest.mark.parametrize("name", EXPECTED)
def test_broken_file_gives_one_message_naming_element_and_cure(name: str) -> None:
    who, phrase = EXPECTED[name]
    with pytest.raises(InputError) as caught:
        load(HERE / name)
    message = str(caught.value)
    assert who in message
    assert phrase in message
    assert "Traceback" not in message
    assert len(message) < 2000
    assert caught.value.exit_code == 2


def test_every_broken_file_is_in_the_table() -> None:
    files = {p.name for p in HERE.iterdir() if p.suffix in (".yaml", ".json", ".txt")}
    assert files == {*EXPECTED, "many_faults.yaml", "modes_plate.json", "modes_bad.json"}
    assert len(files) >= 45


def test_single_faults_are_reported_once() -> None:
    for name in EXPECTED:
        with pytest.raises(InputError) as caught:
            load(HERE / name)
        faults = getattr(caught.value, "faults", ())
        assert len(faults) <= (2 if name == "settings_type.yaml" else 1), str(caught.value)


def test_many_faults_are_all_reported_with_their_lines() -> None:
    with pytest.raises(ModelError) as caught:
        load(HERE / "many_faults.yaml")
    message = str(caught.value)
    for phrase in MANY:
        assert phrase in message, message
    assert all(fault.where.startswith("line ") for fault in caught.value.faults), message
    assert all(fault.cure for fault in caught.value.faults), message


MANY = (
    "gravity",
    "parameter 'a': depends on itself",
    "parameter 'c'",
    "body 'crank': frames",
    "body 'crank': mass is -1 kg",
    "body 'rod': mass: '3 mm'",
    "body 'slider': the inertia breaks the triangle rule",
    "unknown key 'colour'",
    "joint 'O': axis",
    "joint 'P': parent: no body 'grund'",
    "no coordinate 'angle'",
    "unknown name 'k2'",
    "force 'm'",
    "already driven by 'd1'",
    "output 'o'",
    "event 'e'",
    "t_end is -1 s",
    "rtol is 0",
)


def test_missing_file_and_folder_are_input_errors(tmp_path: Path) -> None:
    for path in (tmp_path / "none.yaml", tmp_path):
        with pytest.raises(InputError):
            load(path)
