// A mutation without a form, by one press. Pressed again after a lost answer it sends the same request.
import { type UseMutationOptions, useMutation } from "@tanstack/react-query";
import { useRef } from "react";
import { newId } from "../lib/ids";

/** The mutation takes the id of the object that it changes. */
export function useTap<Answer>(
  send: (subject: string, requestId: string) => Promise<Answer>,
  options: Pick<UseMutationOptions<Answer, Error, string>, "onSuccess" | "onError">,
) {
  const unanswered = useRef(new Map<string, string>());
  return useMutation({
    ...options,
    mutationFn: async (subject: string) => {
      const requestId = unanswered.current.get(subject) ?? newId();
      unanswered.current.set(subject, requestId);
      const answer = await send(subject, requestId);
      unanswered.current.delete(subject);
      return answer;
    },
  });
}
