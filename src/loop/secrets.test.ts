import { expect, test } from "vitest";
import { secretIn, withoutSecrets } from "./secrets.ts";

const secrets = new Map([
  ["KEY", "sesame-open-123"],
  ["LONGER", "sesame-open-123-and-more"],
  ["FLAG", "1"],
]);
const mark = "\n[... 999 bytes left out ...]\n";

test("a value gives way to its name, the longer one first", () => {
  expect(withoutSecrets("a sesame-open-123-and-more b sesame-open-123", secrets)).toBe("a [LONGER] b [KEY]");
});

test("a value that a cut went through leaves no half of it", () => {
  expect(withoutSecrets(`said sesame-op${mark}en-123 and on`, secrets)).toBe(`said ${mark} and on`);
});

test("values too short to be secrets are let be", () => {
  expect(withoutSecrets("exit 1", secrets)).toBe("exit 1");
  expect(secretIn("exit 1", secrets)).toBeUndefined();
});

test("a text that holds a value is told by the name", () => {
  expect(secretIn("x=sesame-open-123;", secrets)).toBe("KEY");
});

test("a line of a value of several lines is as secret as the whole", () => {
  const file = new Map([["PEM", "-----BEGIN KEY-----\nMIIEvQIBADANBgkqhkiG\n"]]);
  expect(secretIn("+// MIIEvQIBADANBgkqhkiG", file)).toBe("PEM");
  expect(withoutSecrets("it is MIIEvQIBADANBgkqhkiG", file)).toBe("it is [PEM]");
});
