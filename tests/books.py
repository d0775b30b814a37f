#!/usr/bin/env python3
"""Recomputes the books of random pilots from the JSON of their export, without any code of Fluglog.

    tests/books.py PROGRAM [BOOKS [SEED]]

starts PROGRAM (`fluglog`) on a directory of its own, has pilots fly at random, and makes BOOKS books (1,000) of random
days, of the pilot and of items. Of each it compares with the export: every row's number, day, times and minutes as they
are printed, the sums and the carry-over of every page with the hours from before Fluglog, the sums of the last page,
and the table inside with every text.
It needs `pdftotext` (poppler-utils) and `qpdf`. Of every tenth book it also asks `pdfdetach` for the table, `qpdf` for
faults, and `pdffonts` whether all fonts are embedded, as a subset, with the map to Unicode.
"""

import csv
import datetime
import http.client
import io
import json
import os
import pathlib
import random
import re
import signal
import subprocess
import sys
import tempfile
import urllib.parse
import uuid
import zipfile
import zlib

PASSWORD = "ein-langes-Passwort-7"
FLIGHTS = 160
BOOKS_OF_PILOT = 40
FORM = "application/x-www-form-urlencoded"
TEXTS = [
    "", "Wiese", "Modellflugplatz Lüneburger Heide", "🚁👨‍👩‍👧 Feld", "مرحبا שלום 東京", "‮verkehrt‬ herum",
    "=1+1", "'=1+1", "'n Abend", "-5", "@SUM(A1)", "a;b \"c\" 'd'", "x" * 200, "Donaudampfschifffahrt " * 9,
    "Ubungsplatz", "U\u0308bungsplatz Cafe\u0301", "\ue000privat", "1 01.01.2026 00:00 00:05 0:05",
]
LINES = TEXTS + ["zwei\nZeilen\n\n\"drei\"", "\n=1+1", "\tx", "lang " * 300]


class Client:
    def __init__(self, port):
        self.port = port
        self.cookies = {}
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=300)

    def ask(self, method, path, body=None, kind=FORM):
        headers = {"Origin": f"http://127.0.0.1:{self.port}", "Content-Type": kind}
        if self.cookies:
            headers["Cookie"] = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        self.connection.request(method, "/app/api/" + path, body, headers)
        answer = self.connection.getresponse()
        content = answer.read()
        for name, value in answer.getheaders():
            if name.lower() == "set-cookie":
                key, _, value = value.split(";")[0].partition("=")
                self.cookies[key] = value
        return answer.status, content

    def post(self, call, **fields):
        status, content = self.ask("POST", call, urllib.parse.urlencode(fields).encode())
        assert status in (200, 201, 202), (call, status, content)
        return content

    def log(self, call, **fields):
        mark = uuid.uuid4().hex
        parts = [f'--{mark}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'
                 for name, value in fields.items()]
        body = "".join(parts) + f"--{mark}--\r\n"
        status, content = self.ask("POST", call, body.encode(), f"multipart/form-data; boundary={mark}")
        assert status == 201, (call, status, content)

    def get(self, call, **fields):
        return self.ask("GET", f"{call}?{urllib.parse.urlencode(fields)}")


def day_text(day):
    return day.strftime("%d.%m.%Y")


def moment(text):
    return datetime.datetime.strptime(text, "%d.%m.%Y %H:%M")


def fly(client, dice):
    """Has a pilot fly, with every kind of gap, text and border of a day."""
    def item(kind, name):
        sent = json.dumps({"type": kind, "name": name, "model": dice.choice(TEXTS)})
        return json.loads(client.post("SaveNewEquipment", equipment=sent))["dpfId"]

    names = [text for text in TEXTS if text]
    copters = [item(0, name) for name in dice.sample(names, 3)]
    packs = [item(1, name) for name in dice.sample(names, 4)]
    for of in [{}, *({"dpfId": item} for item in copters + packs)]:
        if dice.random() < 0.4:
            prior = {"flights": dice.choice([0, 1, 900, 12345]), "minutes": dice.choice([0, 59, 7230, 600000]),
                     "until": dice.choice(["", "01.03.2023"]), "note": dice.choice(TEXTS).strip()}
            client.post("SavePriorFlights", **of, prior=json.dumps(prior))
    start = datetime.datetime(2023, 12, 30)
    for _ in range(dice.choice([1, 20, FLIGHTS])):
        start += datetime.timedelta(minutes=dice.choice([7, 61, 600, 3000, 15000]))
        if dice.random() < 0.1:
            start = start.replace(hour=23, minute=dice.choice([50, 59]))
        flight = {
            "startTime": start.strftime("%d.%m.%Y %H:%M"),
            "flightTime": dice.choice([None, 0, 0.4, 0.5, 7.49, 7.5, 12, 59.5, 1500.25, round(dice.uniform(0, 40), 1)]),
            "location": dice.choice(TEXTS), "purpose": dice.choice(LINES), "notes": dice.choice(LINES),
            "batteryStartVoltage": dice.choice([None, 16.8, 25]), "batteryEndVoltage": dice.choice([None, 14.25]),
            "consumedCapacity": dice.choice([None, 1100, 0]), "maximumAltitude": dice.choice([None, 40, 119.6]),
            "maximumDistance": dice.choice([None, 0, 1234.4]),
        }
        if dice.random() < 0.5:
            place = [round(dice.uniform(-most, most), 6) for most in (89, 179)]
            flight |= dict(zip(["startLatitude", "startLongitude"], place))
        config = {"copter": dice.choice(copters), "equipments": dice.sample(packs, dice.choice([0, 1, 1, 2]))}
        made = client.post("AddFlight", dpfId=str(uuid.UUID(int=dice.getrandbits(128), version=4)),
                           config=json.dumps(config), flight=json.dumps(flight))
        if dice.random() < 0.1:
            about = dice.choice([text for text in LINES if text.strip()])
            client.log("SaveFlightLog", dpfId=json.loads(made)["dpfId"], info=about, time=flight["startTime"])
            client.log("SaveEquipmentLog", dpfId=config["copter"], info=about, time=flight["startTime"])


def printed_minutes(flight):
    """Rounds half up; none without a time."""
    minutes = flight["flightTime"]
    return None if minutes is None else int(minutes + 0.5)


def hours(minutes):
    return f"{minutes // 60}:{minutes % 60:02}"


def expected_rows(flights, first, last, of_item, prior):
    """Returns the rows of a book and what is carried over to them, with what was before Fluglog."""
    rows, carried, (count, total) = [], prior, prior
    for flight in flights:
        start = moment(flight["startTime"])
        if last and start.date() > last:
            break
        minutes = printed_minutes(flight)
        count, total = count + 1, total + (minutes or 0)
        if first and start.date() < first:
            carried = (count, total)
            continue
        time = "–" if minutes is None else hours(minutes)
        landed = None if minutes is None else start + datetime.timedelta(minutes=minutes)
        end = "–" if landed is None else landed.strftime("%H:%M")
        if landed and landed.date() != start.date():
            end += f" (+{(landed.date() - start.date()).days})"
        row = [str(count), day_text(start), start.strftime("%H:%M")]
        rows.append((row + ([time, hours(total)] if of_item else [end, time]), minutes or 0, flight))
    return rows, carried


def lines_of(pdf):
    """Returns the lines of each page: the words at one height, each with its place from the left in points."""
    done = subprocess.run(["pdftotext", "-tsv", pdf, "-"], capture_output=True, check=True)
    pages = {}
    for row in done.stdout.decode().split("\n")[1:]:
        cells = row.rstrip("\r").split("\t", 11)
        if len(cells) == 12 and cells[0] == "5":
            lines = pages.setdefault(int(cells[1]), {})
            lines.setdefault(round(float(cells[7])), []).append((float(cells[6]), cells[11]))
    return [[sorted(words) for _, words in sorted(lines.items())] for _, lines in sorted(pages.items())]


def text_between(words, first, last):
    return " ".join(text for left, text in words if first <= left < last)


ROW = re.compile(r"([\d.]+) (\d\d\.\d\d\.\d{4}) (\d\d:\d\d) (–|\d+:\d\d(?: \(\+\d+\))?) (–|[\d.]*\d:\d\d)$")
SUM = re.compile(r"(Summe dieser Seite|Übertrag(?: von Seite \d+)?|Gesamt) ([\d.]+) ([\d.]+:\d\d)$")


def number(text):
    return int(text.replace(".", ""))


def minutes_of(text):
    whole, rest = text.split(":")
    return number(whole) * 60 + int(rest)


def check_pages(pdf, rows, carried, of_item, prior):
    # The columns of numbers end here.
    end = 235 if of_item else 239
    place, before = 0, carried
    all_pages = lines_of(pdf)
    for page, lines in enumerate(all_pages, 1):
        sums = [match.groups() for match in (SUM.match(text_between(words, 460, 900)) for words in lines) if match]
        if not any(name == "Summe dieser Seite" for name, *_ in sums):
            continue
        # Below the name of the book, which may be any text.
        found = [ROW.match(text_between(words, 0, end)) for words in lines[2:]]
        printed = [[str(number(row[1])), *row.groups()[1:]] for row in found if row]
        wanted = rows[place:place + len(printed)]
        assert printed == [row for row, *_ in wanted], (page, printed, [row for row, *_ in wanted])
        place += len(printed)
        of_page = (len(printed), sum(minutes for _, minutes, _ in wanted))
        said = [(number(count), minutes_of(time)) for _, count, time in sums]
        after = (before[0] + of_page[0], before[1] + of_page[1])
        assert said == [of_page, before, after], (page, said, of_page, before, after)
        before = after
    assert place == len(rows), (place, len(rows))
    last = [text_between(words, 0, 400) for words in all_pages[-1]]
    of_book = (before[0] - carried[0], before[1] - carried[1])
    said = [("Übertrag", carried), ("In diesem Buch", of_book), ("Gesamt", before)]
    said += [("davon vor Fluglog", prior)] * (prior != (0, 0))
    assert any(line.startswith("davon vor Fluglog ") for line in last) == (prior != (0, 0)), last
    for name, value in said:
        line = next(line for line in last if line.startswith(f"{name} "))
        count, time = line.removeprefix(f"{name} ").split(" ")
        assert (number(count), minutes_of(time)) == value, (name, value, line)


def file_inside(pdf):
    """Returns the file in a PDF."""
    start = pdf.index(b"stream\n", pdf.index(b"/Type/EmbeddedFile")) + len(b"stream\n")
    return zlib.decompressobj().decompress(pdf[start:])


def unescaped(cell):
    rest = cell.lstrip("'")
    return cell[1:] if cell.startswith("'") and rest[:1] in ("=", "+", "-", "@", "\t", "\n") and rest else cell


def shortened(text):
    return text if len(text) <= 500 else text[:500].rstrip() + "…"


def check_table(content, rows, prior):
    table = list(csv.DictReader(io.StringIO(content.decode("utf-8-sig"), newline=""), delimiter=";"))
    said = [row["Vorkommnisse"] for row in table if not row["Datum"]]
    assert len(said) == (prior != (0, 0)) and all(text.startswith("Vor Fluglog: ") for text in said), said
    flown = [row for row in table if row["Nr."]]
    assert len(flown) == len(rows), (len(flown), len(rows))
    for row, (printed, _, flight) in zip(flown, rows):
        exact = flight["flightTime"]
        assert row["Nr."] == printed[0] and f'{row["Datum"]} {row["Start"]}' == flight["startTime"], row
        assert row["Flugzeit (min)"] == ("" if exact is None else f"{exact:g}".replace(".", ",")), (row, exact)
        assert unescaped(row["Ort"]) == shortened(flight["location"]), row
        if "Zweck" in row:
            assert unescaped(row["Zweck"]) == shortened(flight["purpose"]), row
            assert unescaped(row["Copter"]) == flight["copter"]["name"], row
        assert flight["notes"].strip() == "" or unescaped(row["Vorkommnisse"]) != "", row


def check_book(client, flights, priors, items, dice, folder, is_tenth):
    days = [moment(flight["startTime"]).date() for flight in flights] + [datetime.date(2030, 1, 1)]
    first, last = sorted(dice.choices(days, k=2))
    first, last = dice.choice([(first, last), (None, last), (first, None), (None, None)])
    item = dice.choice(items + [None] * len(items))
    flown = [flight for flight in flights if item is None or item in flight["ids"]]
    prior = priors.get(item, (0, 0))
    rows, carried = expected_rows(flown, first, last, item is not None, prior)
    asked = {"equipment": item} if item else {}
    asked |= {name: day_text(day) for name, day in [("from", first), ("to", last)] if day}
    status, content = client.get("GetLogbook", **asked)
    if not rows:
        assert status == 400, (status, asked)
        return 0
    assert status == 200, (status, content, asked)
    pdf = folder / "book.pdf"
    pdf.write_bytes(content)
    try:
        check_pages(pdf, rows, carried, item is not None, prior)
        check_table(file_inside(content), rows, prior)
        if is_tenth:
            detached = folder / "book.csv"
            subprocess.run(["pdfdetach", "-save", "1", "-o", detached, pdf], check=True, stderr=subprocess.DEVNULL)
            assert detached.read_bytes() == file_inside(content)
            subprocess.run(["qpdf", "--check", pdf], check=True, stdout=subprocess.DEVNULL)
            fonts = subprocess.run(["pdffonts", pdf], capture_output=True, text=True, check=True)
            fonts = fonts.stdout.splitlines()[2:]
            assert fonts and all(re.search(r"yes yes yes", font) for font in fonts), fonts
    except AssertionError:
        pdf.rename(f"/tmp/book-{os.getpid()}.pdf")
        print(f"of {asked}: /tmp/book-{os.getpid()}.pdf", file=sys.stderr)
        raise
    return len(rows)


def exported(client):
    """Returns the flights, earliest first, and what was before Fluglog: of the pilot (None), and of each item."""
    _, archive = client.get("GetExport", withoutFiles="true")
    archive = zipfile.ZipFile(io.BytesIO(archive))
    flights, items, profile = (json.loads(archive.read(f"json/{name}.json"))
                               for name in ["flights", "equipment", "profile"])
    priors = {item.get("dpfId"): (item["prior"]["flights"], item["prior"]["minutes"])
              for item in [profile, *items] if "prior" in item}
    for flight in flights:
        flight["ids"] = {part["dpfId"] for part in [flight["copter"], *flight["equipments"]]}
    return sorted(flights, key=lambda flight: (moment(flight["startTime"]), flight["dpfId"])), priors


def run(program, books, seed, folder):
    data = folder / "data"
    subprocess.run([program, "init", "--data-dir", data], check=True, stdout=subprocess.DEVNULL)
    for pilot in range(-(-books // BOOKS_OF_PILOT)):
        subprocess.run([program, "user", "add", "--data-dir", data, "--email", f"p{pilot}@example.org", "--nickname",
                        f"p{pilot}", "--password-stdin"], input=PASSWORD + "\n", text=True, check=True,
                       stdout=subprocess.DEVNULL)
    server = subprocess.Popen([program, "serve", "--data-dir", data, "--listen", "127.0.0.1:0"], text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    try:
        address = (re.search(r"127\.0\.0\.1:(\d+)/", line) for line in server.stdout)
        port = next(int(found[1]) for found in address if found)
        made = rows = 0
        for pilot in range(-(-books // BOOKS_OF_PILOT)):
            dice = random.Random(seed + pilot)
            client = Client(port)
            client.post("Login", email=f"p{pilot}@example.org", password=PASSWORD)
            fly(client, dice)
            flights, priors = exported(client)
            items = sorted({item for flight in flights for item in flight["ids"]})
            for _ in range(min(BOOKS_OF_PILOT, books - made)):
                made += 1
                rows += check_book(client, flights, priors, items, dice, folder, made % 10 == 1)
            print(f"{made} books, {rows} rows", flush=True)
    finally:
        server.send_signal(signal.SIGTERM)
        server.wait()


if __name__ == "__main__":
    program = pathlib.Path(sys.argv[1]).resolve()
    count, seed = (int(value) for value in (sys.argv[2:] + ["1000", "1"][len(sys.argv) - 2:]))
    with tempfile.TemporaryDirectory() as place:
        run(program, count, seed, pathlib.Path(place))
