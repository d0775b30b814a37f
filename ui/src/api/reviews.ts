// What one looks back on: of a year or of all time, on all flights, one copter's or one place's.
import { useAnswer } from "./answers";
import type { Fields } from "./client";

/** Without a year of all time. */
export function useReview(fields: Fields<"GetReview">, enabled = true) {
  return useAnswer("GetReview", fields, { enabled });
}
