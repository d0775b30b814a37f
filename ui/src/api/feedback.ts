// Feedback to the operator of the server.
import { useMutation } from "@tanstack/react-query";
import { type Write, write } from "./client";

export type FeedbackFields = { version: string; message: string; rate: string };

export function useSendFeedback() {
  return useMutation({
    mutationFn: ({ fields, requestId }: Write<FeedbackFields>) => write("SendFeedback", fields, requestId),
  });
}
