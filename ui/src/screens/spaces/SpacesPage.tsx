// "Gemeinsam nutzen": the spaces of the pilot, and the form that creates one. With an item in the address the new space
// gets it at once.
import { useForm, useWatch } from "react-hook-form";
import { Link, useNavigate, useSearchParams } from "react-router";
import { useEquipment } from "../../api/equipment";
import { isClub, type Space, useSpaces } from "../../api/spaces";
import { useWrite } from "../../api/useWrite";
import { Form, SubmitButton } from "../../components/Form";
import { DraftNote, useFormDraft } from "../../components/FormDraft";
import { requiredText, TextField } from "../../components/fields";
import { Icon } from "../../components/Icon";
import { Page, useGoBack } from "../../components/Page";
import { RadioGroup } from "../../components/RadioGroup";
import { spaces } from "../../components/spaces/texts";
import { errorText, QueryView, Skeleton } from "../../components/states";
import { showToast } from "../../components/toasts";
import { general } from "../../texts";
import { itemParameter, urls } from "../../urls";
import styles from "./SpaceRows.module.css";
import { list as texts } from "./texts";

export function SpacesPage() {
  const query = useSpaces();
  const [parameters] = useSearchParams();
  return (
    <Page title={texts.title} onBack={useGoBack(urls.profile)} isNarrow>
      <p>{texts.intro}</p>
      <QueryView query={query} failure={texts.failed} skeleton={<Skeleton height={5} />}>
        {(mine) => (
          <>
            {mine.length > 0 && <Mine mine={mine} />}
            <NewSpace item={parameters.get(itemParameter) ?? ""} />
          </>
        )}
      </QueryView>
    </Page>
  );
}

function Mine({ mine }: { mine: Space[] }) {
  return (
    <section aria-label={texts.yours}>
      <ul className={`card ${styles.frame}`}>
        {mine.map((space) => (
          <li key={space.dpfId} className={styles.row}>
            <Icon name="users" size={24} />
            <div className={styles.text}>
              <h2>
                <Link className="row-link" to={urls.space(space.dpfId)}>
                  {space.name}
                </Link>
              </h2>
              <p className={styles.about}>
                {[spaces.kindOf(space.kind), texts.about(space), spaces.roleOf(space.role)].join(" · ")}
              </p>
            </div>
            <Icon name="chevron-right" size={20} />
          </li>
        ))}
      </ul>
    </section>
  );
}

type Values = { kind: string; name: string };

const household = "1";

function NewSpace({ item: wanted }: { item: string }) {
  const navigate = useNavigate();
  const form = useForm<Values>({ defaultValues: { kind: household, name: "" } });
  const draft = useFormDraft(form, "space", "new");
  const kind = useWatch({ control: form.control, name: "kind" });
  const item = useEquipment(wanted, wanted !== "").data;
  const move = useWrite("MoveEquipment");

  async function create(values: Values) {
    const fields = { kind: Number(values.kind), name: values.name.trim() };
    const space = await draft.send("SaveSpace", values, (dpfId) => ({ dpfId, ...fields }));
    draft.clear();
    if (item) {
      await move.mutateAsync({ dpfId: item.dpfId, space: space.dpfId }).then(
        () => showToast(texts.created),
        (error) => showToast(`${texts.notMoved(item.name)} ${errorText(error, general.saveFailed)}`),
      );
    } else showToast(texts.created);
    await navigate(urls.space(space.dpfId), { replace: true });
  }
  return (
    <section className="card stack" aria-labelledby="create-title">
      <h2 id="create-title">{texts.create}</h2>
      <DraftNote draft={draft} />
      <Form form={form} onSubmit={create}>
        <RadioGroup
          as="rows"
          aria-label={texts.kind}
          value={kind}
          choices={texts.kinds.map(({ kind: code, title, about }) => ({
            value: String(code),
            text: title,
            about,
          }))}
          onChange={(next) => form.setValue("kind", next, { shouldDirty: true })}
        />
        <TextField
          control={form.control}
          name="name"
          label={texts.name}
          hint={texts.nameHint(isClub({ kind: Number(kind) }))}
          maxLength={60}
          rules={requiredText(texts.nameMissing)}
        />
        {item && <p className="quiet">{texts.withItem(item.name)}</p>}
        <SubmitButton icon="plus">{texts.submit}</SubmitButton>
      </Form>
    </section>
  );
}
