// Saving the profile. The header shows the photo from the answer. Knows no forms.
import { useMutation } from "@tanstack/react-query";
import { cache, type Session, sessionKey } from "./cache";
import type { DetailedUser } from "./generated/DetailedUser";
import { detailedUserKey } from "./session";
import { type Upload, upload } from "./transfer";

/** A name that is left out stays as it is. */
export type ProfileFields = Partial<Pick<DetailedUser, "nickname" | "firstname" | "lastname">> & {
  photo: File | null;
  /** true or left out. */
  removePhoto: boolean | null;
};

export function useSaveProfile() {
  return useMutation({
    mutationFn: ({ fields, requestId, transfer }: Upload<ProfileFields>) =>
      upload("SaveProfile", fields, requestId, transfer),
    onSuccess: (user, { fields: { photo: _, removePhoto: __, ...names } }) => {
      cache.setQueryData<Session>(sessionKey, { user, leftOnPurpose: false });
      cache.setQueryData<DetailedUser>(
        detailedUserKey,
        (details) => details && { ...details, ...names, photo: user.photo },
      );
      cache.invalidateQueries({ queryKey: detailedUserKey });
    },
  });
}
