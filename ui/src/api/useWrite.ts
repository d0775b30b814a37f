// A write by one press. Another press after a lost answer, also after a reload, sends the same request.
import { useMutation } from "@tanstack/react-query";
import type { Fields } from "./client";
import { press } from "./perform";
import type { WriteCall } from "./writes";

/** A mutation whose variables are the fields of the call. */
export function useWrite<Name extends WriteCall>(name: Name) {
  return useMutation({ mutationFn: (fields: Fields<Name>) => press(name, fields) });
}
