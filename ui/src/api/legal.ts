// The legal texts, plain text that the operator of the server may replace.
import { useQuery } from "@tanstack/react-query";
import { legalTextUrl } from "../urls";
import { get } from "./client";

export type LegalText = "impressum" | "dataprivacy";

export function useLegalText(name: LegalText) {
  return useQuery({
    queryKey: ["legal", name],
    queryFn: () => get<string>(legalTextUrl(name)),
    staleTime: 3_600_000,
  });
}
