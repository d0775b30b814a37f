// A button that opens the browser's file dialog.
import { type ComponentProps, useEffect, useRef, useState } from "react";
import { Button } from "./Button";

export function FileButton({
  accept = [],
  isMultiple = false,
  camera,
  isOpenAtOnce = false,
  onPick,
  ...button
}: Omit<ComponentProps<typeof Button>, "onPress"> & {
  /** Accepted media types; without them any file. */
  accept?: readonly string[];
  isMultiple?: boolean;
  /** Takes a photo by this camera of a phone. */
  camera?: "user" | "environment";
  /** Opens the dialog when it appears by a tap. */
  isOpenAtOnce?: boolean;
  onPick: (files: File[]) => void;
}) {
  const input = useRef<HTMLInputElement>(null);
  const [isWanted] = useState(isOpenAtOnce);
  useEffect(() => {
    if (isWanted) input.current?.click();
  }, [isWanted]);
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
          // Lets the same file be chosen again.
          currentTarget.value = "";
          onPick(files);
        }}
      />
    </>
  );
}
