import { expect, test } from "vitest";
import { shorterShader, withoutAnimation, withoutNever } from "../lean_three";

test("blanks that mean nothing go, those of the preprocessor stay", () => {
  const text = String.raw`"#ifdef USE_COLOR\n\t#define F ( a )\n\n\tfloat d = max( - x, 1.0 / y ) * - z; // how far\n\treturn d;\n#endif"`;
  expect(shorterShader(text)).toBe(
    String.raw`"#ifdef USE_COLOR\n#define F ( a )\nfloat d=max(- x,1.0/y)*- z;\nreturn d;\n#endif"`,
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

test("what is never defined goes with all it holds, of the others nothing", () => {
  const left = (text: string) => withoutNever(text.split("|")).join("|");
  expect(left("a|#ifdef USE_FOG|b|#ifdef X|c|#endif|#endif|d")).toBe("a|d");
  expect(left("#ifdef USE_MAP|a|#else|b|#endif|#ifdef USE_SHADOWMAP|c|#endif")).toBe(
    "b|#ifdef USE_SHADOWMAP|c|#endif",
  );
  expect(left("#ifndef USE_BUMPMAP|a|#else|b|#endif|#if defined( USE_SHEEN )|c|#endif")).toBe("a");
  expect(left("#ifdef X|#ifdef USE_SKINNING|a|#endif|#else|b|#endif")).toBe(
    "#ifdef X|#else|b|#endif",
  );
  const several = "#ifdef USE_MAP|a|#elif Y|b|#else|c|#endif";
  expect(left(`${several}|#ifdef USE_FOG|d|#endif`)).toBe(several);
  expect(left("#ifdef USE_MAP|a")).toBe("#ifdef USE_MAP|a");
  expect(left("#if defined( USE_MAP ) || defined( X )|a|#endif")).toContain("|a|");
});
