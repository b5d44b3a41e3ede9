/** The mutation testing report as one page that needs nothing else. */
import type { StrengthReport } from "../model/strength.ts";
import { mutationReport } from "./strength-json.ts";

/** @param viewer The one script of `mutation-testing-elements`. */
export function strengthHtml(report: StrengthReport, viewer: string): string {
  return [
    "<!doctype html>",
    '<html lang="en">',
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>Strength of ${report.task.id}</title>`,
    `<script>${inScript(viewer)}</script>`,
    `<mutation-test-report-app title-postfix="${report.task.id}"></mutation-test-report-app>`,
    `<script>document.querySelector("mutation-test-report-app").report = ${jsonInScript(mutationReport(report))};</script>`,
    "</html>",
    "",
  ].join("\n");
}

/** Ends of the element inside its own text; in strings of JavaScript they may be written so. */
function inScript(script: string): string {
  return script.replace(/<\/(script)/gi, "<\\/$1");
}

/** JSON that holds nothing which HTML could take for markup. */
function jsonInScript(value: object): string {
  return JSON.stringify(value)
    .replaceAll("<", "\\u003c")
    .replaceAll("\u2028", "\\u2028")
    .replaceAll("\u2029", "\\u2029");
}
