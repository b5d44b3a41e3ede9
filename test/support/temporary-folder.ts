/** Folders that go away with the test file. Open to others, because sandboxes run under users of their own. */
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";

/** A new folder, removed when the tests of the calling file are over. */
export function temporaryFolder(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `test-${name}-`));
  chmodSync(folder, 0o755);
  afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
  return folder;
}
