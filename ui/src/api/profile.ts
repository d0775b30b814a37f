// Saving the profile. The header shows the photo that the answer names. Knows nothing of forms.
import { useMutation } from "@tanstack/react-query";
import { cache, type Session, sessionKey } from "./cache";
import type { DetailedUser } from "./generated/DetailedUser";
import type { SessionUser } from "./generated/SessionUser";
import { detailedUserKey } from "./session";
import { type Transfer, upload } from "./transfer";

export type ProfileFields = {
  firstname: string;
  lastname: string;
  photo: File | null;
  /** true or left out. */
  removePhoto: boolean | null;
};

export function useSaveProfile() {
  return useMutation({
    mutationFn: ({ fields, transfer }: { fields: ProfileFields; transfer: Transfer }) =>
      upload<SessionUser>("SaveProfile", fields, transfer),
    onSuccess: (user, { fields: { firstname, lastname } }) => {
      cache.setQueryData<Session>(sessionKey, { user, leftOnPurpose: false });
      cache.setQueryData<DetailedUser>(
        detailedUserKey,
        (details) => details && { ...details, firstname, lastname, photo: user.photo },
      );
      cache.invalidateQueries({ queryKey: detailedUserKey });
    },
  });
}
