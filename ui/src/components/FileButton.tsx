// A button that opens the browser's window for choosing files.
import { type ComponentProps, useRef } from "react";
import { Button } from "./Button";

export function FileButton({
  accept = [],
  isMultiple = false,
  camera,
  onPick,
  ...button
}: Omit<ComponentProps<typeof Button>, "onPress"> & {
  /** Media types; any file without them. */
  accept?: readonly string[];
  isMultiple?: boolean;
  /** The camera of a phone that takes the photo. */
  camera?: "user" | "environment";
  onPick: (files: File[]) => void;
}) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button {...button} onPress={() => input.current?.click()} />
      <input
        ref={input}
        type="file"
        hidden
        accept={accept.join(",")}
        multiple={isMultiple}
        capture={camera}
        onChange={({ currentTarget }) => {
          const files = [...(currentTarget.files ?? [])];
          // So that the same file can be chosen again.
          currentTarget.value = "";
          onPick(files);
        }}
      />
    </>
  );
}
