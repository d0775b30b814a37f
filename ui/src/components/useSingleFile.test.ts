import { act, renderHook } from "@testing-library/react";
import { expect, test } from "vitest";
import { useSingleFile } from "./useSingleFile";

test("A chosen file stays when nothing is chosen or dropped", () => {
  const { result } = renderHook(() => useSingleFile());
  const file = new File(["PDF"], "Police.pdf");
  act(() => result.current.pick([file]));
  act(() => result.current.pick([]));
  expect(result.current).toMatchObject({ file, error: null });
});
