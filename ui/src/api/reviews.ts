// The review of a year or of all time: of all flights, one copter or one place.
import { useAnswer } from "./answers";
import type { Fields } from "./client";

/** Without a year the review is of all time. */
export function useReview(fields: Fields<"GetReview">, enabled = true) {
  return useAnswer("GetReview", fields, { enabled });
}
