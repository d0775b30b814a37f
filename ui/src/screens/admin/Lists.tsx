// The read-only parts: "Feedback", "Einstellungen", "Protokoll".
import { useState } from "react";
import { useAdminFeedback, useAdminLog, useAdminSettings } from "../../api/admin";
import { Button } from "../../components/Button";
import { SearchedList } from "../../components/SearchedList";
import { QueryView } from "../../components/states";
import { general } from "../../texts";
import { Row, Rows } from "./Facts";
import { textOf, wordsOf } from "./logLines";
import { feedback as feedbackTexts, log as logTexts, page, settings as settingsTexts } from "./texts";

export function Feedback() {
  return (
    <QueryView query={useAdminFeedback()} failure={page.loadFailed}>
      {(all) =>
        all.length === 0 ? (
          <p>{feedbackTexts.none}</p>
        ) : (
          <Rows>
            {all.map(({ email, nickname, sent, rate, message }) => (
              <Row key={`${email} ${sent} ${message}`}>
                <p>{message}</p>
                <p className="quiet">
                  {feedbackTexts.rate(rate)} · {nickname} ({email}) · {sent}
                </p>
              </Row>
            ))}
          </Rows>
        )
      }
    </QueryView>
  );
}

export function Settings() {
  const [isWhole, setWhole] = useState(false);
  return (
    <QueryView query={useAdminSettings()} failure={page.loadFailed}>
      {(all) => (
        <>
          <p className="quiet">{settingsTexts.hint}</p>
          <Rows>
            {(isWhole ? all : all.filter(({ isDefault }) => !isDefault)).map(
              ({ name, value, source, isDefault }) => (
                <Row key={name}>
                  <p>
                    <code>{name}</code> {value === "" ? settingsTexts.nothing : value}
                  </p>
                  <p className="quiet">{isDefault ? source : <strong>{source}</strong>}</p>
                </Row>
              ),
            )}
          </Rows>
          {!isWhole && <Button onPress={() => setWhole(true)}>{general.showAll(all.length)}</Button>}
        </>
      )}
    </QueryView>
  );
}

export function Log() {
  return (
    <QueryView query={useAdminLog()} failure={page.loadFailed}>
      {(lines) => (
        <div className="stack">
          <p className="quiet">
            {logTexts.hint} <code>{logTexts.command}</code>
          </p>
          {lines.length === 0 && <p>{logTexts.none}</p>}
          <SearchedList rows={lines} wordsOf={wordsOf}>
            {(shown) => (
              <Rows>
                {shown.map((line, position) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: lines may be alike, and new ones come on top
                  <Row key={position}>
                    <p>{textOf(line)}</p>
                    <p className="quiet">
                      {logTexts.kinds[line.kind]} · {line.time}
                      {line.client !== "" && ` · ${logTexts.from(line.client)}`}
                    </p>
                  </Row>
                ))}
              </Rows>
            )}
          </SearchedList>
        </div>
      )}
    </QueryView>
  );
}
