// "Bereiche": names, counts and who manages. Shows nothing of their gear.
import { useAdminSpaces } from "../../api/admin";
import { SearchedList } from "../../components/SearchedList";
import { spaces } from "../../components/spaces/texts";
import { QueryView } from "../../components/states";
import { sizeText } from "../../lib/sizes";
import { Row, Rows } from "./Facts";
import { accounts, page, spaces as texts } from "./texts";

export function Spaces() {
  return (
    <QueryView query={useAdminSpaces()} failure={page.loadFailed}>
      {(all) =>
        all.length === 0 ? (
          <p>{texts.none}</p>
        ) : (
          <SearchedList rows={all} wordsOf={({ name, managers }) => [name, ...managers]}>
            {(shown) => (
              <Rows>
                {shown.map(({ name, kind, members, items, managers, created, usedBytes, quotaBytes }) => (
                  <Row key={`${name} ${created}`}>
                    <p>
                      <strong>{name}</strong> · {spaces.kindOf(kind)}
                    </p>
                    <p className="quiet">
                      {texts.counts(members, items)} ·{" "}
                      {accounts.room(sizeText(usedBytes), quotaBytes === null ? null : sizeText(quotaBytes))}{" "}
                      · {texts.since(created)}
                    </p>
                    <p className="quiet">{texts.managedBy(managers.join(", "))}</p>
                  </Row>
                ))}
              </Rows>
            )}
          </SearchedList>
        )
      }
    </QueryView>
  );
}
