// The styles of maintenance, taken over with its code: the one style sheet of all screens is part of the first load.
import { adoptStyles } from "../../lib/adoptStyles";
import text from "./maintenance.css?inline";

export const css = {
  list: "job-list",
  job: "job",
  about: "job-about",
  head: "job-head",
  item: "job-item",
  sentence: "job-sentence",
  buttons: "job-buttons",
  bar: "job-bar",
  texts: "job-texts",
  template: "job-template",
  run: "job-run",
  question: "job-question",
  limits: "job-limits",
  section: "job-section",
  ways: "job-ways",
  group: "job-group",
  rows: "job-rows",
} as const;

adoptStyles(text);
