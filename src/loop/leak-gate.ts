/** What passes to a generator and what comes from it, held against the oracle by a scan that tells places only. */
import type { Message } from "../model/brief.ts";

/** A place in a text where the oracle shows. `sure` stops a send; otherwise it is told and the send goes on. */
export interface LeakHit {
  readonly where: string;
  readonly sure: boolean;
}

/** Looks for one task's oracle in a text. */
export type Scan = (text: string) => readonly LeakHit[];

/** All that the next question carries. */
export interface Outgoing {
  readonly messages: readonly Message[];
  /** How many of the messages are the brief. */
  readonly brief: number;
  /** The last patch, where it goes out by itself; null otherwise. */
  readonly patch: string | null;
}

/** Where the oracle shows in a question. */
export interface Leak {
  readonly sure: readonly string[];
  readonly doubtful: readonly string[];
  /** Every sure place is the generator's own text, or feedback that repeats such text. */
  readonly isOwn: boolean;
}

/** Scans a whole question. */
export function leakOf({ messages, brief, patch }: Outgoing, scan: Scan): Leak {
  const said = messages.flatMap(({ role, content }) => (role === "assistant" ? [content] : []));
  const own = patch === null ? said : [...said, patch];
  const parts = messages.map(({ role, content }, at) => ({
    content,
    name: `message ${at + 1} (${role})`,
    isOwn: () => role === "assistant" || (at >= brief && repeats(content, own, scan)),
  }));
  if (patch !== null) parts.push({ content: patch, name: "the last patch", isOwn: () => true });
  const found = parts.map((part) => ({ ...part, hits: scan(part.content) }));
  const placesOf = (isSure: boolean) =>
    found.flatMap(({ name, hits }) =>
      hits.filter(({ sure }) => sure === isSure).map(({ where }) => `${name}, ${where}`),
    );
  return {
    sure: placesOf(true),
    doubtful: placesOf(false),
    isOwn: found.filter(({ hits }) => hits.some(({ sure }) => sure)).every(({ isOwn }) => isOwn()),
  };
}

/** Compilers and tests quote what they are given: without the words of the answers nothing is left of such a place. */
function repeats(feedback: string, answers: readonly string[], scan: Scan): boolean {
  const sources = answers.filter((answer) => scan(answer).length > 0);
  const words = new Set(sources.flatMap((answer) => answer.match(/\w+/g) ?? []));
  const rest = feedback.replace(/\w+/g, (word) => (words.has(word) ? " " : word));
  return sources.length > 0 && !holdsOracle([rest], scan);
}

/** Whether the oracle shows for sure in one of the texts. */
export function holdsOracle(texts: readonly string[], scan: Scan): boolean {
  return texts.some((text) => scan(text).some(({ sure }) => sure));
}
