//! The German sentences that the server sends to pilots. The user interface has its own in its `texts.ts`; the texts
//! of the command line are next to its commands.

use std::fmt::Display;

pub(crate) const NOT_LOGGED_IN: &str = "Sie sind nicht angemeldet.";
pub(crate) const LOGIN_REFUSED: &str = "Login fehlgeschlagen. Bitte prüfen Sie E-Mail-Adresse und Passwort.";
pub(crate) const NO_ACCESS: &str = "Darauf haben Sie keinen Zugriff.";
pub const BROWSER_LOGIN_REQUIRED: &str = "Dafür ist eine Anmeldung im Browser nötig.";
pub const ACCESS_TOKEN_READS: &str = "Dieser Zugang darf nur lesen.";
pub const ACCESS_TOKEN_DAYS: &str = "Ein Zugang gilt zwischen 1 und 366 Tagen.";
pub const ACCESS_TOKENS_FULL: &str = "Mehr als 20 Zugänge sind nicht möglich. Bitte beenden Sie zuerst einen anderen.";
pub const SPACE_NAME_MISSING: &str = "Bitte geben Sie einen Namen ein.";
pub const TOO_MANY_SPACES: &str = "Sie sind schon in 10 Bereichen.";
pub const SPACE_FULL: &str = "Dieser Bereich hat schon 500 Mitglieder.";
pub const NAME_HIDDEN: &str = "Ein Mitglied möchte nicht genannt werden. In einem Haushalt stehen alle Namen.";
pub const NAMES_SHOWN: &str = "In einem Haushalt stehen alle Namen.";
pub const LAST_MANAGER: &str = "Mindestens eine Person muss die Verwaltung behalten.";
pub const LAST_MEMBER: &str = "Sie sind das letzte Mitglied. Lösen Sie den Bereich auf.";
pub const SPACE_HAS_MEMBERS: &str = "Auflösen geht erst, wenn Sie das letzte Mitglied sind.";
pub const SPACE_HAS_ITEMS: &str = "Auflösen geht erst, wenn der Bereich keine Ausrüstung mehr hat.";
pub const INVITATION_DAYS: &str = "Eine Einladung gilt 1 bis 30 Tage.";
pub const INVITATION_USES: &str = "Eine Einladung gilt für 1 bis 50 Personen.";
pub const TOO_MANY_INVITATIONS: &str = "Es sind schon 100 Einladungen offen.";
pub const SPACE_INVITATION_GONE: &str = "Diese Einladung ist abgelaufen.";
pub const OWNER_GONE: &str = "Wer es bekommen sollte, ist nicht mehr da.";
pub const RIGHT_MISSING: &str = "Dafür fehlt Ihnen das Recht.";
pub const NO_MEMBER_ANY_MORE: &str = "Sie sind nicht mehr Mitglied dieses Bereichs.";
pub(crate) const CROSS_SITE: &str = "Diese Anfrage kommt von einer anderen Seite und wurde abgelehnt.";
pub const TOO_LARGE: &str = "Die Anfrage ist zu groß.";
pub(crate) const WRONG_CONTENT_TYPE: &str = "Die Anfrage hat ein falsches Format.";
pub(crate) const RATE_LIMITED: &str = "Zu viele Versuche. Bitte warten Sie einige Minuten und versuchen Sie es erneut.";
pub const BUSY: &str = "Der Server ist gerade nicht bereit. Bitte versuchen Sie es gleich noch einmal.";
pub(crate) const READ_ONLY: &str = "Der Datenträger des Servers ist beschädigt: Was gespeichert ist, lässt sich noch \
lesen, Neues wird nicht mehr gespeichert. Bitte sagen Sie es dem Betreiber.";
pub const CROWDED: &str =
    "Von Ihrer Adresse kommt gerade zu viel auf einmal. Bitte versuchen Sie es gleich noch einmal.";
pub const PILOT_CROWDED: &str = "Von Ihnen wird gerade schon so viel bearbeitet, wie auf \
    einmal geht. Warten Sie, bis etwas davon fertig ist, und versuchen Sie es dann noch einmal.";
pub const TOO_MUCH_AT_ONCE: &str = "Das ist zu viel auf einmal. Bitte versuchen Sie es in kleineren Teilen.";
pub const OTHERS_CROWDED: &str =
    "Der Server ist gerade mit den Anfragen anderer beschäftigt. Bitte versuchen Sie es gleich noch einmal.";
pub(crate) const DOWNLOAD_RUNNING: &str =
    "Ihre Daten werden gerade schon heruntergeladen. Warten Sie bis zum Ende, oder brechen Sie es im Browser ab.";
pub const DOWNLOADS_MANY: &str =
    "Gerade laden schon andere ihre Daten herunter. Bitte versuchen Sie es in einigen Minuten noch einmal.";
pub const INTERNAL: &str = "Auf dem Server ist ein Fehler aufgetreten. Bitte versuchen Sie es erneut.";
pub const NO_SUCH_CALL: &str = "Diesen Aufruf gibt es nicht.";
pub const NO_SUCH_FILE: &str = "Diese Datei gibt es nicht.";
pub const NOT_SHOWN: &str = "Diese Datei kann der Browser nicht anzeigen. Bitte laden Sie sie herunter.";
pub const WRONG_METHOD: &str = "Dieser Aufruf ist so nicht möglich.";
pub const ONLY_HTTPS: &str = "Diese Adresse beginnt mit https://, nicht mit http://.";
pub const BAD_REQUEST: &str = "Die Anfrage ist unvollständig oder beschädigt.";

pub(crate) const ALREADY_DONE: &str = "Diese Anfrage wurde schon ausgeführt.";
pub const REQUEST_ID_TAKEN: &str = "Die Kennung dieser Anfrage gehört schon zu einer anderen.";

pub const INVALID_INPUT: &str = "Ungültige Eingabe";
pub(crate) const FIELD_TWICE: &str = "Ein Feld wurde doppelt gesendet.";
pub const FIELD_MISSING: &str = "Eine Angabe fehlt.";
pub const CONTROL_CHARACTERS: &str = "Der Text enthält nicht erlaubte Steuerzeichen.";
pub(crate) const BAD_DATE: &str = "Bitte geben Sie ein gültiges Datum im Format TT.MM.JJJJ ein.";
pub const BAD_TIME: &str = "Bitte geben Sie Datum und Uhrzeit im Format TT.MM.JJJJ HH:MM ein.";
pub const TIME_LEFT_OUT: &str =
    "Diese Uhrzeit gibt es nicht: In dieser Nacht werden die Uhren auf Sommerzeit vorgestellt.";
pub(crate) const BAD_YEAR: &str = "Das Jahr muss zwischen 1900 und 2099 liegen.";
pub const BAD_LATITUDE: &str = "Die geografische Breite muss zwischen -90 und 90 liegen.";
pub const BAD_LONGITUDE: &str = "Die geografische Länge muss zwischen -180 und 180 liegen.";

pub const EMAIL_INVALID: &str = "Bitte geben Sie eine gültige E-Mail-Adresse ein.";
pub const NEW_PASSWORD_MISSING: &str = "Bitte geben Sie ein neues Passwort ein.";
pub const PASSWORD_TOO_SHORT: &str = "Das Passwort muss mindestens 8 Zeichen lang sein.";
pub const PASSWORD_TOO_LONG: &str = "Das Passwort darf höchstens 200 Zeichen lang sein.";
pub const PASSWORD_COMMON: &str =
    "Dieses Passwort gehört zu den häufigsten und wird als erstes geraten. Bitte wählen Sie ein anderes.";
pub const PASSWORD_IS_NAME: &str = "Das Passwort darf weder Ihre E-Mail-Adresse noch Ihr Nickname sein, auch nicht mit \
                                    Ziffern daran. Bitte wählen Sie ein anderes.";
pub const NICKNAME_MISSING: &str = "Bitte geben Sie einen Nickname ein.";
pub const EMAIL_TAKEN: &str = "Diese E-Mail-Adresse ist bereits registriert.";

pub const REGISTRATION_CLOSED: &str =
    "Die Registrierung ist auf diesem Server geschlossen. Bitte wenden Sie sich an den Betreiber.";
pub const CODE_MISSING: &str = "Bitte geben Sie den Code ein.";
pub const CODE_WRONG: &str = "Der Code ist falsch.";
pub const CODE_GONE: &str = "Der Code ist abgelaufen. Bitte registrieren Sie sich erneut.";
pub const LOGIN_GONE: &str = "Die Anmeldung ist abgelaufen. Bitte melden Sie sich erneut an.";
pub const COOKIE_NOT_KEPT: &str = "Ihr Browser hat das Cookie nicht gespeichert, das zu dieser Anmeldung gehört. \
    Erlauben Sie Cookies für diese Seite, und melden Sie sich noch einmal an.";
pub const SETUP_GONE: &str =
    "Diese Adresse gilt nicht mehr. Solange es noch kein Konto gibt, zeigt der Server bei jedem Start eine neue.";
pub const INVITATION_GONE: &str =
    "Diese Einladung ist abgelaufen oder wurde schon benutzt. Bitte lassen Sie sich vom Betreiber eine neue geben.";
pub const RESET_GONE: &str =
    "Dieser Link ist abgelaufen oder wurde schon benutzt. Bitte lassen Sie sich vom Betreiber einen neuen geben.";
pub const LINK_GONE: &str = "Dieser Link ist abgelaufen oder wurde schon benutzt.";
pub const USER_DISABLED: &str = "Dieser Benutzer ist gesperrt.";
pub(crate) const CONFIRMATION_REQUIRED: &str = "Bitte Passwort erneut eingeben.";
pub const PASSWORD_MISSING: &str = "Bitte geben Sie Ihr Passwort ein.";
pub const PASSWORD_WRONG: &str = "Das Passwort ist falsch.";
pub const CONFIRM_BY_PASSWORD: &str = "Bitte bestätigen Sie mit Ihrem Passwort.";
pub const CONFIRM_BY_MAIL: &str = "Ihr Passwort kann das nicht bestätigen: Es gibt keines, oder es wurde gesetzt, ohne \
    dass nach dem bisherigen gefragt wurde. Bitte bestätigen Sie mit der Zahl aus einer Mail.";
pub const CONFIRM_BY_SHELL: &str = "E-Mail-Adresse und Passwort dieses Kontos sind neu und unbestätigt. Setzen Sie das \
    Passwort an der Shell mit „fluglog user set-password“, oder bitten Sie einen anderen Betreiber um einen Link.";
pub const CONFIRMATION_GONE: &str = "Diese Bestätigung ist abgelaufen. Bitte lassen Sie sich eine neue Mail senden.";
pub const LAST_OPERATOR: &str = "Das ist der letzte Betreiber. Bitte machen Sie zuerst jemand anderen zum Betreiber.";
pub const ACCOUNT_GONE: &str = "Dieses Konto gibt es nicht mehr.";
pub const TYPED_ADDRESS_DIFFERS: &str = "Das ist nicht die E-Mail-Adresse dieses Kontos.";
pub const DAYS_INVALID: &str = "Bitte eine Zahl von 1 bis 30 eingeben.";
pub const QUOTA_INVALID: &str =
    "Bitte eine Größe wie „500 MB“ oder „2 GB“ eingeben; 0: ohne Grenze, leer: wie eingestellt.";
pub const ARCHIVING: &str = "Es läuft schon eine Sicherung oder eine Prüfung. Bitte warten Sie, bis sie fertig ist.";
pub const BACKUP_FOLDER_UNKNOWN: &str = "Noch ist kein Ort für Sicherungen bekannt. Der erste „fluglog backup \
    --output VERZEICHNIS“ legt ihn fest; herunterladen können Sie die Sicherung auch so.";
pub const BACKUP_GONE: &str = "Diese Sicherung liegt dort nicht mehr.";
pub const BACKUP_FOLDER_UNREADABLE: &str =
    "Der Ordner mit den Sicherungen ist nicht lesbar. Steckt der Stick, und darf der Dienst ihn lesen?";
pub const NO_MAIL_SERVER: &str = "Es ist kein Mailserver eingestellt; geben Sie stattdessen den Link weiter.";
pub const NUMBER_MISSING: &str = "Bitte geben Sie die Zahl ein, die der wartende Browser zeigt.";
pub const NUMBER_WRONG: &str = "Die Zahl stimmt nicht mit der überein, die der wartende Browser zeigt.";
pub const PASSWORDS_DIFFER: &str = "Die Passwörten stimmen nicht überein!";
pub const FEEDBACK_MESSAGE_MISSING: &str = "Bitte geben Sie eine Nachricht ein.";
pub const FEEDBACK_TOO_MUCH: &str =
    "Mehr als 100 Feedbacks eines Piloten sind nicht möglich. Bitte wenden Sie sich an Ihren Admin.";
pub const FEEDBACK_RATE: &str = "Bitte wählen Sie eine Bewertung von 1 bis 10.";

pub const EQUIPMENT_KIND_UNKNOWN: &str = "Diese Art von Equipment gibt es nicht.";
pub const UNKNOWN_ITEM: &str = "Verlorenes Equipment";
pub const BOOK_EMPTY: &str = "Keine Flüge in diesem Zeitraum.";
pub const BOOK_TOO_LONG: &str = "Ein Flugbuch hat höchstens 5.000 Einträge. Bitte nach Jahren teilen.";
pub const BOOK_ENDS_BEFORE_START: &str = "Das Ende des Zeitraums liegt vor seinem Anfang.";
pub const EQUIPMENT_NAME_MISSING: &str = "Bitte geben Sie einen Namen ein.";
pub const EQUIPMENT_REASON_MISSING: &str = "Bitte geben Sie einen Grund ein.";
pub const EQUIPMENT_ALREADY_RETIRED: &str = "Dieses Equipment ist bereits ausgemustert.";
pub const EQUIPMENT_NOT_RETIRED: &str = "Dieses Equipment ist bereits in Betrieb.";
pub const FORMER_MEMBER: &str = "ehemaliges Mitglied";
pub const MOVED_IN_FLIGHT: &str = "Dieses Equipment ist gerade im Flug. Es kann nach der Landung umziehen.";
pub const MOVED_TOO_MUCH: &str =
    "Dieses Equipment hat zu viele Flüge und Einträge. Nur der Betreiber kann es verschieben (fluglog equipment move).";
pub const EQUIPMENT_IN_OPEN_FLIGHT: &str = "Dieses Equipment ist gerade im Flug. Bitte beenden Sie zuerst den Fluglog.";
pub const SHARED_IN_OPEN_FLIGHT: &str =
    "Dieses Equipment ist gerade in einem offenen Flug. Bitte beenden Sie ihn, oder geben Sie das Equipment frei.";
pub const NOT_A_BATTERY: &str = "Nur Batterien können geladen werden.";
pub const NO_PASSPORT: &str = "Nur Batterien haben einen Akkupass.";
pub const NUMBER_OUT_OF_RANGE: &str = "Bitte geben Sie eine Nummer von 1 bis 999 ein.";
pub const NUMBER_TAKEN: &str = "Diese Nummer hat schon ein anderes Equipment.";
pub const CHEMISTRY_UNKNOWN: &str = "Diese Chemie gibt es nicht.";
pub const CELLS_OUT_OF_RANGE: &str = "Bitte geben Sie 1 bis 14 Zellen ein.";
pub const PARALLEL_OUT_OF_RANGE: &str = "Bitte geben Sie 1 bis 8 parallele Zellen ein.";
pub const CELL_VOLTAGE_TOO_HIGH: &str = "Eine Zelle hat höchstens 5 V.";
pub const FULL_DAYS_OUT_OF_RANGE: &str = "Bitte geben Sie 0 bis 99 Tage ein.";
pub const RESISTANCE_OUT_OF_RANGE: &str = "Bitte geben Sie Widerstände von 0,1 bis 500 mΩ ein.";
pub const TEMPERATURE_OUT_OF_RANGE: &str = "Bitte geben Sie eine Temperatur von −30 bis 90 °C ein.";
pub const READING_EMPTY: &str = "Bitte geben Sie mindestens einen Wert ein.";
pub const CHARGINGS_TOO_MANY: &str = "Mehr als 5.000 Ladungen eines Akkus sind nicht möglich.";
pub const READINGS_TOO_MANY: &str = "Mehr als 5.000 Messungen eines Akkus sind nicht möglich.";
pub const FLIGHTS_OF_PACK_TOO_MANY: &str = "Mehr als 20.000 Flüge mit einem Akku sind nicht möglich.";
pub const UNDO_TOO_LATE: &str = "Das lässt sich nicht mehr rückgängig machen.";
pub const CHANGED_SINCE: &str = "Seitdem wurde die Ladung geändert. Bitte bearbeiten Sie sie im Ladeverlauf.";
pub const SET_NAME_MISSING: &str = "Bitte geben Sie dem Satz einen Namen.";
pub const SET_MEMBERS: &str = "Ein Satz hat 2 bis 8 Batterien.";
pub const IN_ANOTHER_SET: &str = "Eine dieser Batterien gehört schon zu einem anderen Satz.";
pub const SET_OF_RETIRED: &str = "Eine ausgemusterte Batterie kann nicht in einen Satz.";
pub const STICKER_UNKNOWN: &str = "Diesen Aufkleber gibt es nicht, oder er wurde durch einen neuen ersetzt.";
pub const LABELS_TOO_MANY: &str = "Auf einmal sind höchstens 200 Aufkleber möglich.";
pub const SNOOZE_OUT_OF_RANGE: &str = "Bitte geben Sie 0 bis 90 Tage ein.";
pub const PACKS_TOO_MANY: &str = "Auf einmal sind höchstens 50 Batterien möglich.";
pub const TIME_IN_FUTURE: &str = "Die Zeit liegt in der Zukunft.";
pub const CHARGING_START_MISSING: &str = "Bitte geben Sie die Startzeit des Ladevorgangs ein.";
pub const CHARGING_FROM_MISSING: &str = "Bitte geben Sie die Spannung vor dem Ladevorgang ein.";
pub const CHARGING_END_MISSING: &str = "Bitte geben Sie die Endzeit des Ladevorgangs ein.";
pub const CHARGING_TO_MISSING: &str = "Bitte geben Sie die Spannung nach dem Ladevorgang ein.";
pub const CHARGING_AMOUNT_MISSING: &str = "Bitte geben Sie die geladene Kapazität ein.";
pub const CHARGING_ENDS_BEFORE_START: &str = "Die Endzeit liegt vor der Startzeit.";
pub const CHARGING_ALREADY_OPEN: &str = "Für diese Batterie läuft bereits ein Ladevorgang.";
pub const CHARGING_OF_RETIRED: &str = "Eine ausgemusterte Batterie kann nicht geladen werden.";
pub const CHARGING_OF_FLIGHT: &str = "Dieser Eintrag gehört zu einem Flug und folgt dessen Werten.";

pub const PRIOR_FLIGHTS_OUT_OF_RANGE: &str = "Bitte geben Sie 0 bis 100.000 Flüge ein.";
pub const PRIOR_MINUTES_OUT_OF_RANGE: &str = "Bitte geben Sie 0 bis 100.000 Stunden ein.";
pub const PRIOR_CYCLES_OUT_OF_RANGE: &str = "Bitte geben Sie 0 bis 10.000 Ladezyklen ein.";
pub const PRIOR_UNTIL_IN_FUTURE: &str = "Dieser Tag liegt in der Zukunft.";
pub const JOB_TITLE_MISSING: &str = "Bitte geben Sie der Wartung einen Titel.";
pub const JOB_STEPS_TOO_MANY: &str = "Eine Wartung hat höchstens 20 Schritte mit je 200 Zeichen.";
pub const JOB_COUNT_OUT_OF_RANGE: &str = "Bitte geben Sie eine Zahl von 1 bis 100.000 ein.";
pub const JOB_DAYS_OUT_OF_RANGE: &str = "Bitte geben Sie 1 bis 3.650 Tage ein.";
pub const JOB_HOURS_OUT_OF_RANGE: &str = "Bitte geben Sie 0,1 bis 10.000 Stunden ein.";
pub const JOB_WARN_OUT_OF_RANGE: &str = "Bitte geben Sie 1 bis 50 Prozent ein.";
pub const JOB_CYCLES_OF_NO_BATTERY: &str = "Ladezyklen zählen nur bei Akkus.";
pub const JOB_SERIES_WITHOUT_DATE: &str = "Ein fester Termin braucht ein Datum oder Tage.";
pub const JOB_WITHOUT_LIMIT: &str = "Bitte mindestens eine Grenze angeben.";
pub const JOB_OF_RETIRED: &str = "Ausgemustertes Equipment bekommt keine Wartung.";
pub const JOBS_TOO_MANY: &str = "Mehr als 30 Wartungen je Equipment sind nicht möglich.";
pub const JOB_RUNS_TOO_MANY: &str = "Mehr als 2.000 Einträge einer Wartung sind nicht möglich.";
pub const JOB_ARCHIVED: &str = "Diese Wartung ist abgeschlossen.";
pub const JOB_JUST_DONE: &str = "Gerade erst erledigt. Noch einmal?";
pub const JOB_DONE_BEFORE_LAST: &str = "Das Datum liegt vor der letzten Erledigung.";
pub const JOB_RUN_NOT_LAST: &str = "Nur der letzte Eintrag lässt sich zurücknehmen.";
pub const JOB_PUT_OFF_OUT_OF_RANGE: &str =
    "Bitte geben Sie 1 bis 365 Tage, 1 bis 1.000 Flüge oder 0,1 bis 1.000 Stunden ein.";
pub const JOB_COST_OUT_OF_RANGE: &str = "Bitte geben Sie Kosten bis 1.000.000 € ein.";

pub const COPTER_OR_PLACE: &str = "Bitte wählen Sie entweder einen Copter oder einen Ort.";
pub const FLIGHT_NEEDS_COPTER: &str = "Bitte wählen Sie einen Copter in Betrieb.";
pub const FLIGHT_ITEM_UNUSABLE: &str = "Ein gewähltes Equipment ist nicht mehr in Betrieb oder passt nicht.";
pub const FLIGHT_ITEM_TWICE: &str = "Ein Equipment wurde doppelt gewählt.";
pub const ITEMS_TOO_MANY: &str = "Mehr als 2.000 Teile Equipment sind nicht möglich.";
pub const FLIGHT_TOO_MANY_ITEMS: &str = "Für einen Flug können höchstens 50 Teile Equipment gewählt werden.";
pub const FLIGHT_TOO_MANY_PAYLOADS: &str = "Für einen Flug sind höchstens 50 Nutzlasten möglich.";
pub const PAYLOAD_INCOMPLETE: &str = "Eine Nutzlast braucht einen Namen und ein Gewicht.";
pub const IMPORT_UNKNOWN_FILE: &str = "Diese Datei ist keine Flugdatei, die Fluglog kennt.";
pub const IMPORT_NO_FLIGHTS: &str = "Keine Flüge gefunden.";
pub const IMPORT_FILE_MISSING: &str = "Bitte wählen Sie eine Datei aus.";
pub const IMPORT_FILE_TOO_LARGE: &str = "Die Datei ist zu groß (höchstens 100 MB).";
pub const IMPORT_FILES_TOO_LARGE: &str = "Die Dateien sind zusammen zu groß (höchstens 200 MB).";
pub const IMPORT_TOO_MANY_FILES: &str = "Höchstens 20 Dateien auf einmal.";
pub const IMPORT_TOO_MUCH: &str = "Die Datei enthält zu viel, um sie auf einmal zu lesen.";
pub const IMPORT_TOO_LONG: &str = "Die Auswertung dauert zu lange und wurde abgebrochen.";
pub const IMPORT_DAMAGED: &str = "Die Datei ist beschädigt.";
pub const IMPORT_CHARGER_LOG: &str = "Das ist das Protokoll eines Ladegeräts, keine Flugdatei.";
pub const IMPORT_MEDIA: &str = "Das ist ein Bild oder Video, keine Flugdatei.";
pub const IMPORT_AVIF: &str = "Das ist ein Bild im Format AVIF, keine Flugdatei.";
pub const IMPORT_SHEET_UNREADABLE: &str =
    "Diese Tabelle kann Fluglog nicht lesen: bitte als CSV speichern (in Excel „Speichern unter“, CSV).";
pub const IMPORT_SHEET_TOO_LARGE: &str =
    "Diese Tabelle ist zu groß: bitte nur die Flüge als CSV speichern (in Excel „Speichern unter“, CSV).";
pub const IMPORT_OLD_EXCEL: &str =
    "Alte und geschützte Excel-Dateien liest Fluglog nicht: bitte als CSV speichern (in „Speichern unter“).";
pub const IMPORT_DATAFLASH_TEXT: &str =
    "Das ist ein ArduPilot-Protokoll als Text: bitte die .bin nehmen, aus der es gemacht ist.";
pub const IMPORT_GUTMA: &str =
    "GUTMA-Dateien (Parrot) liest Fluglog nicht: bitte den Flug als GPX oder KML speichern und diese Datei wählen.";
pub const IMPORT_FIT: &str =
    "FIT-Dateien (Garmin) liest Fluglog nicht: bitte den Flug als GPX speichern und diese Datei wählen.";
pub const IMPORT_EMPTY: &str = "Diese Datei ist leer.";
pub const IMPORT_PDF: &str = "PDF-Dateien liest Fluglog nicht: bitte die Liste als CSV oder Excel-Datei speichern.";
pub const IMPORT_ENCRYPTED: &str = "Diese Datei ist verschlüsselt. Bitte die TXT-Datei aus der App nehmen.";
pub const IMPORT_OLD_BLACKBOX: &str =
    "Dieses Blackbox-Protokoll ist zu alt: Fluglog liest Datenversion 2, die es seit 2015 gibt.";
pub const IMPORT_OTHER_VEHICLES: &str = "In der Datei sind mehrere Fluggeräte; gelesen wurde das erste.";
pub const IMPORT_CHOOSE_COLUMNS: &str = "Bitte die Spalten prüfen.";
pub const IMPORT_QUESTIONS: &str = "Bitte sagen, wie die Spalten gemeint sind.";
pub const IMPORT_SERIES: &str = "Das sind Messwerte, oder es fehlt die Spalte mit der Dauer. Bitte die Spalten prüfen.";
pub const IMPORT_MAPPING_IMPOSSIBLE: &str = "Bitte genau eine Spalte mit dem Datum wählen und keine Bedeutung doppelt.";
pub const IMPORT_SEPARATOR_MISSING: &str = "Bitte das Trennzeichen angeben: Semikolon, Tabulator, Komma oder |.";
pub const IMPORT_DECIMAL_MISSING: &str = "Bitte das Dezimalzeichen angeben: Komma oder Punkt.";
pub const IMPORT_DATE_ORDER_MISSING: &str = "Bitte die Reihenfolge im Datum angeben: dmy, mdy oder ymd.";
pub const IMPORT_NO_TABLE: &str = "Diese Datei hat keine Spalten zum Zuordnen.";
pub const IMPORT_TOO_MANY_OPEN: &str = "Bitte erst einen Import abschließen oder verwerfen.";
pub const IMPORT_EXPIRED: &str = "Der Import ist abgelaufen. Bitte die Datei erneut wählen.";
pub const IMPORT_CLOSED: &str = "Dieser Import wurde schon mit einer anderen Auswahl übernommen.";
pub const IMPORT_CHOICES_WRONG: &str = "Die Auswahl passt nicht zum Import.";
pub const IMPORT_NEEDS_COPTER: &str = "Bitte Copter wählen.";
pub const IMPORT_NEEDS_START: &str = "Bitte Startzeit ergänzen.";
pub const IMPORT_WRONG_CLOCK: &str = "Die Uhr der Fernsteuerung ging falsch.";
pub const IMPORT_NO_DUPLICATE: &str = "Dieser Flug hat keinen, der ergänzt werden könnte.";
pub const IMPORT_NO_OPEN_FLIGHT: &str = "Es läuft kein Flug, der damit abgeschlossen werden könnte.";
pub const IMPORT_NEVER_ARMED: &str = "Nicht scharf geschaltet.";
pub const IMPORT_EMPTY_LOG: &str = "Leeres Log.";
pub const IMPORT_ARMING_UNKNOWN: &str = "Scharf oder entschärft ist nicht erkennbar.";
pub const IMPORT_SUMMARY_ONLY: &str =
    "Nur die Zusammenfassung ist ohne DJI-Schlüssel lesbar: Zeit, Strecke, Höhe, Ort.";
pub const IMPORT_DISTANCE_ESTIMATED: &str = "Strecke: ≈, Angabe der App.";
pub const IMPORT_VIDEO: &str = "Dauer des Videos, nicht des Flugs";
pub const IMPORT_NO_MOVEMENT: &str = "Nur am Boden?";
pub const IMPORT_COORDINATES_EXCHANGED: &str = "Länge und Breite stehen in der Datei vertauscht.";
pub const IMPORT_LONG_FLIGHT: &str = "Länger als 2 Stunden: bitte prüfen.";
pub const IMPORT_TOO_HIGH: &str = "Über 120 m über Startpunkt: bitte prüfen.";
pub const IMPORT_STILL_OPEN: &str = "Der Flug läuft noch.";
pub const IMPORT_OTHER_ZONE: &str = "wahrscheinlich andere Zeitzone";
pub const IMPORT_ORIGINAL: &str = "Originaldatei";
/// What can't be imported from another Fluglog's logbook, in the singular and the plural.
pub const IMPORT_SKIPS_OPEN_CHARGINGS: [&str; 2] = ["Ladung, die noch läuft", "Ladungen, die noch laufen"];
pub const IMPORT_SKIPS_UNREADABLE: [&str; 2] = [
    "Eintrag, der nicht zu lesen ist (Equipment, Ladung, Log, Dokument)",
    "Einträge, die nicht zu lesen sind (Equipment, Ladungen, Logs, Dokumente)",
];
pub const IMPORT_SKIPS_OF_FLIGHTS: [&str; 2] = [
    "Log oder Bild eines Flugs, der nicht mitkommt",
    "Logs und Bilder von Flügen, die nicht mitkommen",
];
pub const IMPORT_SKIPS_DOCUMENTS: [&str; 2] =
    ["Dokument, das in der Datei fehlt", "Dokumente, die in der Datei fehlen"];
pub const IMPORT_SKIPS_IMAGES: [&str; 2] = ["Bild, das in der Datei fehlt", "Bilder, die in der Datei fehlen"];
pub const IMPORT_SKIPS_ALIASES: [&str; 2] = ["gelernter Name aus Dateien", "gelernte Namen aus Dateien"];
pub const IMPORT_SKIPS_FEEDBACK: [&str; 2] = ["Feedback", "Feedbacks"];
pub const IMPORT_SKIPS_PHOTO: [&str; 2] = ["Profilfoto", "Profilfotos"];

pub const FLIGHT_ALREADY_OPEN: &str = "Es läuft bereits ein Flug. Bitte beenden Sie zuerst den Fluglog.";
pub const FLIGHT_NOT_OPEN: &str = "Dieser Flug ist bereits abgeschlossen.";
pub const START_TIME_IN_FUTURE: &str = "Die Startzeit liegt in der Zukunft.";
pub const START_TIME_TOO_OLD: &str = "Die Startzeit liegt mehr als 30 Tage zurück.";
pub const ID_TAKEN: &str = "Diese Kennung ist schon vergeben.";
pub const FLIGHT_ID_TAKEN: &str = "Diese Kennung gehört schon zu einem anderen Flug oder Equipment.";
pub const START_TIME_MISSING: &str = "Bitte geben Sie die Startzeit ein.";
pub const FLIGHT_MODE_UNKNOWN: &str = "Diesen Flugmodus gibt es nicht.";

pub const FULL: &str = "Auf dem Server ist zu wenig Speicherplatz frei. Bitte wenden Sie sich an den Betreiber.";
pub const QUOTA_USED_UP: &str = "Ihr Speicherplatz auf diesem Server ist aufgebraucht. Löschen Sie Bilder oder \
    Dokumente, die Sie nicht mehr brauchen, oder wenden Sie sich an den Betreiber.";
pub const SPACE_QUOTA_USED_UP: &str = "Der Speicherplatz dieses Bereichs ist aufgebraucht. Löschen Sie Dokumente, die \
    dort niemand mehr braucht, oder wenden Sie sich an den Betreiber.";
pub const FILE_MISSING: &str = "Bitte wählen Sie eine Datei.";
pub const FILE_TOO_LARGE: &str = "Die Datei überschreitet die 50-MB-Grenze und wurde nicht hinzugefügt";
pub const TOO_MANY_FILES: &str = "Es kann nur eine Datei auf einmal hochgeladen werden.";
pub const DESCRIPTION_MISSING: &str = "Bitte geben Sie eine Beschreibung ein.";
pub const PROOF_KIND_MISSING: &str = "Bitte wählen Sie aus, was für ein Nachweis es ist.";
pub const PROOF_UNTIL_AND_ENDLESS: &str = "Bitte entweder „gültig bis“ oder „ohne Ablauf“ angeben.";
pub const PROOF_ENDS_BEFORE_START: &str = "Das Ende („gültig bis“) liegt vor dem Beginn („gültig ab“).";
pub const PROOF_REPLACES_ITSELF: &str = "Ein Nachweis kann sich nicht selbst ersetzen.";
pub const PROOFS_REPLACE_EACH_OTHER: &str = "Diese Nachweise würden sich gegenseitig ersetzen.";
pub const PROOF_REPLACED_ALREADY: &str = "Dieser Nachweis ist schon ersetzt.";
pub const PROOF_TOO_MANY_PAGES: &str = "Ein Nachweis hat höchstens 4 Seiten.";
pub const PROOF_PAGES_TOO_LARGE: &str = "Die Seiten eines Nachweises dürfen zusammen höchstens 20 MB groß sein.";
pub const PROOFS_TOO_MANY: &str = "Es gibt schon 100 Nachweise.";
pub const PROOF_NUMBER_NO_EID: &str = "Bitte die e-ID prüfen: drei Buchstaben und 13 Zeichen.";
pub const PROOF_END_CUT: &str = "Das geheime Ende der e-ID wurde nicht gespeichert.";
pub const PROOF_END_UNFIT: &str =
    "Das geheime Ende der e-ID wurde nicht gespeichert. Die Prüfziffer passt nicht: Bitte vergleichen.";
pub const PROOF_ENDLESS: &str = "Ohne Ablauf.";
pub const PROOF_WITHOUT_DATE: &str = "Kein Ablaufdatum eingetragen.";
pub const PROOF_REPLACED: &str = "Ersetzt.";
pub const PROOF_DAMAGED: &str = "Die Angaben sind beschädigt und nicht lesbar.";
pub const PROOF_ENDS_TODAY: &str = "Läuft heute ab.";
/// What an A2 certificate adds to its last months.
pub const PROOF_RENEWAL_ENDS: &str = " Verlängern geht nur bis dahin.";
pub const SHARE_ENDED: &str = "Diese Freigabe ist beendet. Bitte lassen Sie sich einen neuen QR-Code zeigen.";
pub const LOG_INFO_MISSING: &str = "Bitte geben Sie einen Text ein.";
pub const LOG_TIME_MISSING: &str = "Bitte geben Sie Datum und Uhrzeit ein.";
pub const IMAGES_MISSING: &str = "Bitte wählen Sie mindestens ein Bild.";
pub const TOO_MANY_IMAGES: &str = "Maximal 5 Bilder erlaubt.";
pub const IMAGES_TOO_LARGE: &str = "Gesamtgröße der Bilder darf 50MB nicht überschreiten.";
pub const NO_PICTURE: &str = "Bitte wählen Sie Bilder im Format JPEG, PNG, WebP oder GIF.";
pub const PICTURE_IS_HEIC: &str = "Bilder im Format HEIC können nicht gezeigt werden. Bitte speichern Sie das Bild als \
    JPEG und laden Sie es erneut hoch.";
pub const PICTURE_IS_AVIF: &str = "Bilder im Format AVIF werden nicht angenommen. Bitte speichern Sie das Bild als \
    JPEG und laden Sie es erneut hoch.";
pub const PICTURE_IS_SVG: &str =
    "Bilder im Format SVG werden nicht angenommen. Bitte speichern Sie das Bild als PNG und laden Sie es erneut hoch.";
pub const TOO_MANY_PIXELS: &str = "Ein Bild darf höchstens 51 Millionen Pixel haben.";
pub const PICTURE_TOO_LARGE: &str = "Ein Bild ist zu groß, um verarbeitet zu werden. Bitte verkleinern Sie es.";
pub const PICTURE_TOO_MUCH_WORK: &str =
    "Ein Bild ist zu aufwendig gespeichert, um verarbeitet zu werden. Bitte speichern Sie es als einfaches JPEG.";
pub const PICTURE_BROKEN: &str = "Ein Bild ist beschädigt und kann nicht gelesen werden.";

/// A text exceeds its limit.
#[must_use]
pub fn too_long(max_characters: usize) -> String {
    format!("Der Text darf höchstens {max_characters} Zeichen lang sein.")
}

/// The sticker belongs to another pilot, who may have set a contact.
#[must_use]
pub fn sticker_of_another(contact: &str) -> String {
    const FOREIGN: &str = "Dieser Aufkleber gehört zu einem anderen Konto.";
    match contact {
        "" => FOREIGN.to_owned(),
        contact => format!("{FOREIGN} Kontakt: {}.", contact.trim_end_matches('.')),
    }
}

pub const IN_OPEN_FLIGHT: &str = "ist gerade in einem offenen Flug";

/// An item is in an open flight; `item` is as `Dieser Copter`.
#[must_use]
pub fn item_in_flight(item: &str, pilot: &str, since: impl Display) -> String {
    format!("{item} {IN_OPEN_FLIGHT} ({pilot}, seit {since}).")
}

/// A list of cell values doesn't match the pack's number of cells.
#[must_use]
pub fn values_of_cells(cells: u8) -> String {
    format!("Bitte {cells} Werte angeben.")
}

/// The file has more new flights than one import can take.
#[must_use]
pub fn import_shows_part(shown: usize, left: u32) -> String {
    let sentence = match (shown, left) {
        (0, 1) => "Ihr Flug kommt".to_owned(),
        (0, _) => format!("Ihre {left} Flüge kommen"),
        (_, 1) => format!("Das sind {shown} Flüge der Datei. 1 weiterer kommt"),
        _ => format!("Das sind {shown} Flüge der Datei. {left} weitere kommen"),
    };
    format!("{sentence} nach dem Übernehmen: mit „Nächster Teil“, oder wenn die Datei noch einmal gewählt wird.")
}

/// How many items can't be imported, and of what kind.
#[must_use]
pub fn import_skips(count: usize, [one, several]: [&str; 2]) -> String {
    format!("Kommt nicht mit: {count} {}.", if count == 1 { one } else { several })
}

/// Lines of a file without a valid time were left out; `first` has the beginnings of the first ones.
#[must_use]
pub fn import_untimed(lines: u64, first: &[String]) -> String {
    let sentence = match lines {
        1 => "1 Zeile ohne gültige Zeit ausgelassen.".to_owned(),
        _ => format!("{lines} Zeilen ohne gültige Zeit ausgelassen."),
    };
    let quoted: Vec<String> = first.iter().map(|line| format!("„{line}“")).collect();
    let quoted = quoted.join(", ");
    match first.len() as u64 {
        0 => sentence,
        named if named < lines => format!("{sentence} Die ersten beginnen mit {quoted}."),
        1 => format!("{sentence} Sie beginnt mit {quoted}."),
        _ => format!("{sentence} Sie beginnen mit {quoted}."),
    }
}

/// A column of a table can be read in several ways.
#[must_use]
pub fn import_asks_meaning(cell: &str, heading: &str) -> String {
    format!("Was heißt „{cell}“ in der Spalte „{heading}“?")
}

/// The dates of a table have no year.
#[must_use]
pub fn import_asks_year(cell: &str, heading: &str) -> String {
    format!("Aus welchem Jahr ist „{cell}“ in der Spalte „{heading}“?")
}

/// A way to read a column: a member of the mapping with a value.
#[must_use]
pub fn import_way(member: &str, value: &str) -> String {
    let way = match (member, value) {
        ("decimals", ",") => "Komma vor den Dezimalen",
        ("decimals", ".") => "Punkt vor den Dezimalen",
        ("units", "mm:ss" | "mm:ss:00") => "Minuten und Sekunden",
        ("units", "h:mm") => "Stunden und Minuten",
        ("units", "h:mm:ss") => "Stunden, Minuten und Sekunden",
        ("units", "min") => "Minuten",
        ("units", "s") => "Sekunden",
        ("units", "h") => "Stunden",
        ("units", "m") => "Meter",
        ("units", "km") => "Kilometer",
        ("dateOrder", "dmy") => "Erst der Tag, dann der Monat",
        ("dateOrder", "mdy") => "Erst der Monat, dann der Tag",
        ("dateOrder", "ymd") => "Erst das Jahr",
        _ => value,
    };
    way.to_owned()
}

/// A cell of a table can't be read.
#[must_use]
pub fn import_unread_cell(cell: &str, heading: &str) -> String {
    format!("Nicht gelesen: „{cell}“ ({heading}).")
}

/// The take-off weight in a table, for the notes of a flight.
#[must_use]
pub fn import_weight(grams: f64) -> String {
    format!("Startgewicht: {grams:.0} g")
}

/// The rows of a log have another number of cells than the header.
#[must_use]
pub fn import_header_misfit(header: usize, row: usize) -> String {
    format!("Die Kopfzeile hat {header} Spalten, die Zeilen haben {row}: bitte die Kopfzeile ergänzen.")
}

/// The name of a file that stands for others of its archive, too.
#[must_use]
pub fn import_and_others(name: &str, others: usize) -> String {
    match others {
        1 => format!("{name} und eine weitere Datei"),
        _ => format!("{name} und {others} weitere Dateien"),
    }
}

/// A clip of a video that begins in another file.
#[must_use]
pub fn import_continues(name: &str) -> String {
    format!("Fortsetzung von {name}: zusammen ein Flug.")
}

/// The file could be read only up to a line.
#[must_use]
pub fn import_damaged_from(line: u64) -> String {
    format!("Die Datei ist beschädigt; gelesen wurde bis Zeile {line}.")
}

/// The flight lasts only a few seconds.
#[must_use]
pub fn import_short(seconds: f64) -> String {
    format!("kurz: {seconds:.0} s")
}

/// Bytes between the records of a log are unreadable; `size` is a text such as `2 kB`.
#[must_use]
pub fn import_unreadable(size: &str) -> String {
    format!("{size} dazwischen waren nicht lesbar.")
}

/// Voltages that can't be those of the flight's pack; `voltages` is a text such as `1,2 V und 1,1 V`.
#[must_use]
pub fn import_suspect_voltages(voltages: &str) -> String {
    format!("Spannung {voltages}? Das kann nicht die des Akkus sein und wird nicht übernommen.")
}

/// The flight was imported from this file before.
#[must_use]
pub fn import_taken_over(day: impl Display) -> String {
    format!("Schon übernommen am {day}")
}

/// A flight with this start exists already.
#[must_use]
pub fn import_there_already(start: impl Display) -> String {
    format!("Schon vorhanden: {start}")
}

/// Another file of the import contains the same flight.
#[must_use]
pub fn import_same_as_in(file: &str) -> String {
    format!("Derselbe Flug wie in {file}")
}

/// The last line in the notes of an imported flight.
#[must_use]
pub fn import_origin(file: &str, format: &str) -> String {
    format!("Aus Datei {file} ({format}).")
}

/// Returns the notes of a flight without the line of [`import_origin`].
#[must_use]
pub fn without_import_origin(notes: &str) -> &str {
    let (before, last) = notes.rsplit_once('\n').unwrap_or(("", notes));
    let is_origin = last.starts_with("Aus Datei ") && last.ends_with(").");
    if is_origin { before.trim_end() } else { notes }
}
