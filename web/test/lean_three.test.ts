import { expect, test } from "vitest";
import { shorterShader, withoutAnimation } from "../lean_three";

test("blanks that mean nothing go, those of the preprocessor stay", () => {
  const text = String.raw`"#ifdef USE_FOG\n\t#define F ( a )\n\n\tfloat d = max( - x, 1.0 / y ) * - z; // how far\n\treturn d;\n#endif"`;
  expect(shorterShader(text)).toBe(
    String.raw`"#ifdef USE_FOG\n#define F ( a )\nfloat d=max(- x,1.0/y)*- z;\nreturn d;\n#endif"`,
  );
});

test("other texts, and macros over several lines, stay as they are", () => {
  const short = String.raw`"a = b;\n"`;
  const long = String.raw`"#define A( x ) \\\n  x + 1.0 ; this one is longer than sixty letters, surely so"`;
  expect([shorterShader(short), shorterShader(long)]).toEqual([short, long]);
});

test("statements about classes of animation go, others stay", () => {
  const code = `Color.NAMES = names;
PropertyBinding.prototype.BindingType = {
\tDirect: 0
};
NumberKeyframeTrack.prototype.ValueTypeName = 'number';
const a = KeyframeTrack.name;`;
  expect(withoutAnimation(code).split(/\n+/)).toEqual([
    "Color.NAMES = names;",
    "const a = KeyframeTrack.name;",
  ]);
});
