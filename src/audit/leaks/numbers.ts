/** Numbers as texts write them, and which of them anybody might think of. */

/** The value in decimal where it is whole; otherwise the number without suffix, in lower case. */
export function numberValue(word: string): string {
  const plain = word.replace(/['_]/g, "");
  if (/^0[xX]/.test(plain)) return whole(plain.replace(/[uUlLzZ]+$/, ""));
  const bare = plain.replace(/[uUlLzZfF]+$/, "").toLowerCase();
  if (/^0b[01]+$/.test(bare)) return whole(bare);
  return /^\d+$/.test(bare) ? bare.replace(/^0+(?=\d)/, "") : bare;
}

/** Longer ones are no numbers of a program, and would be slow to convert. */
function whole(digits: string): string {
  return digits.length > 64 ? digits.toLowerCase() : BigInt(digits).toString();
}

/** Those of well-known generators and hashes, in decimal. */
const wellKnown = new Set(
  [
    0x9e3779b97f4a7c15n,
    0x9e3779b9n,
    0x2545f4914f6cdd1dn,
    2654435761n,
    6364136223846793005n,
    1442695040888963407n,
    1103515245n,
    12345n,
    1664525n,
    1013904223n,
    0xcbf29ce484222325n,
    0x100000001b3n,
    0xdeadbeefn,
    0xcafebaben,
  ].map(String),
);

/** Small, round, or next to a power of two: what a test by somebody else may hold as well. */
export function isCommonNumber(value: string): boolean {
  if (!/^\d{1,20}$/.test(value)) return !/\d\.\d\d/.test(value) && value.length < 20;
  if (/^\d0*$/.test(value) || wellKnown.has(value)) return true;
  const number = BigInt(value);
  if (number <= 100n) return true;
  return [-2n, -1n, 0n, 1n].some((by) => isPowerOfTwo(number + by));
}

function isPowerOfTwo(number: bigint): boolean {
  return (number & (number - 1n)) === 0n;
}

const primes = [
  2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79, 83, 89, 97,
];

/** A row that anybody could continue: steps or factors that stay the same, primes, each the sum of two before it. */
export function isProgression(values: readonly string[]): boolean {
  const row = values.map(Number);
  if (row.some((value) => !Number.isFinite(value))) return false;
  const pairs = row.slice(1).map((value, i) => [row[i] ?? 0, value] as const);
  const [first = 0, second = 0] = row;
  if (pairs.every(([a, b]) => b - a === second - first)) return true;
  if (first !== 0 && pairs.every(([a, b]) => b * first === a * second)) return true;
  const place = primes.indexOf(first);
  if (place !== -1 && row.every((value, i) => primes[place + i] === value)) return true;
  return row.length > 2 && row.every((value, i) => i < 2 || value === (row[i - 1] ?? 0) + (row[i - 2] ?? 0));
}
