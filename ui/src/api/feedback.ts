// Feedback to whoever runs the server.
import { useMutation } from "@tanstack/react-query";
import { call } from "./client";

export type FeedbackFields = { version: string; message: string; rate: string };

export function useSendFeedback() {
  return useMutation({ mutationFn: (fields: FeedbackFields) => call("SendFeedback", fields) });
}
