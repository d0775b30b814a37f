// First name, last name and photo. A chosen photo has a preview before it is saved.
import { useState } from "react";
import { useForm } from "react-hook-form";
import type { DetailedUser } from "../../api/generated/DetailedUser";
import { Button } from "../../components/Button";
import { ImagePicker } from "../../components/FilePicker";
import { Form, SubmitButton, settleForm } from "../../components/Form";
import { DraftNote, LeaveGuard, useFormDraft } from "../../components/FormDraft";
import { FieldColumns, FieldLegend, TextField } from "../../components/fields";
import { Icon } from "../../components/Icon";
import { ErrorNote } from "../../components/states";
import { files } from "../../components/texts/files";
import { showToast } from "../../components/toasts";
import { UploadProgress } from "../../components/UploadProgress";
import { useObjectUrl } from "../../components/useObjectUrl";
import { useTransfer } from "../../components/useTransfer";
import { largestUploadBytes } from "../../lib/fileKinds";
import { imageTypes } from "../../lib/imageTypes";
import { general } from "../../texts";
import { ProfileFold } from "./ProfileFold";
import styles from "./ProfileForm.module.css";
import { profileForm as texts } from "./texts";

/** The photo after saving: kept, removed, or replaced. */
type PhotoChange = "none" | "remove" | File;

function problemOf(photo: File): string | null {
  if (!imageTypes.includes(photo.type)) return files.noImage;
  return photo.size > largestUploadBytes ? files.tooLarge : null;
}

export function ProfileForm({ user }: { user: DetailedUser }) {
  const stored = { firstname: user.firstname, lastname: user.lastname };
  const form = useForm({ defaultValues: stored });
  const draft = useFormDraft(form, "profile", "own", stored);
  const transfer = useTransfer();
  const [photo, setPhoto] = useState<PhotoChange>("none");
  const [photoError, setPhotoError] = useState<string | null>(null);
  const preview = useObjectUrl(photo instanceof File ? photo : null);
  const shown = photo === "none" ? user.photo : photo === "remove" ? "" : (preview ?? "");
  const [unreadable, setUnreadable] = useState<string | null>(null);
  const { share } = transfer;

  function pick([picked]: File[]) {
    if (!picked) return;
    const problem = problemOf(picked);
    setPhotoError(problem);
    if (problem === null) setPhoto(picked);
  }
  function removePhoto() {
    setPhotoError(null);
    setPhoto(user.photo === "" ? "none" : "remove");
  }
  return (
    <>
      <DraftNote draft={draft} />
      {/* A draft can't hold a photo, which would be lost. */}
      <LeaveGuard draft={{ ...draft, isPending: () => photo !== "none" || draft.isPending() }} />
      <ProfileFold title={texts.person} note={[user.firstname, user.lastname].join(" ").trim()}>
        <Form
          form={form}
          onSubmit={async (values) => {
            const typed = { firstname: values.firstname.trim(), lastname: values.lastname.trim() };
            const saved = form.formState.defaultValues;
            // Another tab may have saved the other fields since.
            const fields = {
              ...(typed.firstname !== saved?.firstname && { firstname: typed.firstname }),
              ...(typed.lastname !== saved?.lastname && { lastname: typed.lastname }),
              photo: photo instanceof File ? photo : null,
              removePhoto: photo === "remove" || null,
            };
            const chosen = { ...values, photo: fields.photo, removePhoto: fields.removePhoto };
            await transfer.run((progress) => draft.send("SaveProfile", chosen, () => fields, progress));
            setPhoto("none");
            draft.clear();
            settleForm(form, values, typed);
            showToast(general.saved);
          }}
        >
          <fieldset className={styles.photo} disabled={share !== null}>
            <FieldLegend>{texts.photo}</FieldLegend>
            <div className={styles.photoRow}>
              <div className={styles.photoFrame}>
                {shown === "" || shown === unreadable ? (
                  <>
                    <Icon name="user" size={48} />
                    <span className="visually-hidden">{shown === "" ? texts.noPhoto : files.noPreview}</span>
                  </>
                ) : (
                  <img
                    src={shown}
                    alt={photo instanceof File ? texts.preview : texts.photo}
                    onError={() => setUnreadable(shown)}
                  />
                )}
              </div>
              <div className={styles.photoChoice}>
                <ImagePicker label={texts.drop} camera="user" onPick={pick} />
                {shown !== "" && (
                  <Button variant="quiet" icon="delete" onPress={removePhoto}>
                    {texts.removePhoto}
                  </Button>
                )}
              </div>
            </div>
            {photoError !== null && <ErrorNote>{photoError}</ErrorNote>}
            {share !== null && photo instanceof File && <UploadProgress share={share} />}
          </fieldset>
          <FieldColumns>
            <TextField
              control={form.control}
              name="firstname"
              label={texts.firstname}
              autoComplete="given-name"
            />
            <TextField
              control={form.control}
              name="lastname"
              label={texts.lastname}
              autoComplete="family-name"
            />
          </FieldColumns>
          <div className={styles.end}>
            <SubmitButton icon="save">{general.save}</SubmitButton>
          </div>
        </Form>
      </ProfileFold>
    </>
  );
}
