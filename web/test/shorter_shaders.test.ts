import { expect, test } from "vitest";
import { shorterShader } from "../shorter_shaders";

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
