"""Right and subtly wrong answers about the sample notes, as models word them, each after real searches."""

from typing import NamedTuple


class Answer(NamedTuple):
    """searched: the queries of its run. wrong: what is wrong with it; None where it is right."""

    name: str
    searched: tuple[str, ...]
    text: str
    wrong: str | None = None


BOILER, INSURANCE, MONEY = ("boiler serviced",), ("home insurance renew",), ("rent euros bill", "money paid premium")
SUPPLIER, DENTIST, DUE = (
    ("supplier invoice", "books settled"),
    ("dentist appointment check-up",),
    ("due June", "due April May"),
)
TRIP, CAR, SCHOOL, SUBS = ("train hotel Zürich",), ("car tyres inspection",), ("school trip evening",), ("renews",)

RIGHT = (
    Answer("day first", BOILER, "The boiler was serviced on 12 March by Ortiz Heating [boiler.txt:2]."),
    Answer("month first", BOILER, "Ortiz Heating serviced the boiler on March 12 [boiler.txt:2]."),
    Answer("ordinal day", BOILER, "It was last serviced on the 12th of March [boiler.txt:2]."),
    Answer("month alone", BOILER, "The next service is due in March [boiler.txt:3]."),
    Answer("short month", BOILER, "Serviced: 12 Mar, Ortiz Heating [boiler.txt:2]"),
    Answer("a renewal", INSURANCE, "Your home insurance renews on June 1st [insurance.txt:2]."),
    Answer("an amount", INSURANCE, "It renews on 1 June, and the premium was €318 last year [insurance.txt:2]."),
    Answer(
        "no number", ("policy number",), "The policy number is only on the paper copy, in the hall [insurance.txt:3]."
    ),
    Answer(
        "a list",
        DUE,
        "Due before July:\n1. Museum trip money (18 euros) by 24 April [school.txt:2]\n"
        "2. Dentist check-up on 19 May at 8:40 [dentist.txt:2]\n3. Home insurance renewal on 1 June [insurance.txt:2]",
    ),
    Answer(
        "a count of its own", DUE, "Two notes mention something: 24 April [school.txt:2] and 1 June [insurance.txt:2]."
    ),
    Answer("either of two", SUPPLIER, "They ask whether the 240 euros were for invoice 1187 or 1203 [supplier.txt:2]."),
    Answer("a mark between thousands", SUPPLIER, "It settled invoice 1,187; 1,203 is still open [supplier.txt:4]."),
    Answer("a quotation", SUPPLIER, 'The note says "which invoice our payment of 240 euros was for" [supplier.txt:2].'),
    Answer("a quotation with a gap", SUPPLIER, "“The supplier asks which invoice … 1187 or 1203” [supplier.txt:2]"),
    Answer("a time", DENTIST, "Your check-up is on 19 May at 8:40 on the second floor [dentist.txt:2]."),
    Answer("half a day", DENTIST, "Your check-up is on 19 May at 08:40 am [dentist.txt:2]."),
    Answer("a date in figures", DENTIST, "Next check-up: 19/05 at 8.40 [dentist.txt:2]"),
    Answer(
        "a sum", MONEY, "The rent is 940 euros and the electricity was 86 euros, 1026 euros together [budget.txt:2]."
    ),
    Answer("a difference", MONEY, "Electricity fell from 112 to 86 euros, a drop of 26 [budget.txt:3]."),
    Answer("a day of each month", MONEY, "The rent of 940 euros is paid on the 1st [budget.txt:2]."),
    Answer("words in figures", ("price list cards",), "Cards cost 4% more after Easter [meeting.txt:2]."),
    Answer("an evening time", TRIP, "The last train home on Sunday leaves at 8:05 pm [trip.txt:6]."),
    Answer(
        "no such thing",
        TRIP,
        "The train leaves at 7:32 from platform 4; the notes do not say when it arrives [trip.txt:2].",
    ),
    Answer("a name in quotes", CAR, "The 'grey estate' passed its inspection in November [car.txt:3]."),
)

WRONG = (
    Answer("another day", BOILER, "The boiler was serviced on 13 March [boiler.txt:2].", "12 March"),
    Answer("another month", BOILER, "The boiler was serviced on 12 May [boiler.txt:2].", "12 March"),
    Answer("a year added", BOILER, "The boiler was serviced on 12 March 2025 [boiler.txt:2].", "no year is told"),
    Answer("another firm", BOILER, "Alvarez Heating serviced it on 12 March [boiler.txt:2].", "Ortiz"),
    Answer("two things mixed up", BOILER, "The boiler was serviced in June [boiler.txt:2].", "that was the bike"),
    Answer("digits swapped", INSURANCE, "The premium was 381 euros [insurance.txt:2].", "318"),
    Answer(
        "a number made up", ("policy number",), "Your policy number is 4471-02 [insurance.txt:3].", "on paper alone"
    ),
    Answer("another currency", INSURANCE, "The premium was 318 pounds [insurance.txt:2].", "euros"),
    Answer("denied", INSURANCE, "The premium is not due on 1 June [insurance.txt:2].", "it is"),
    Answer("invoices swapped", SUPPLIER, "By our books it settled 1203, and 1187 is open [supplier.txt:4].", "swapped"),
    Answer("another invoice", SUPPLIER, "They ask about invoice 1178 or 1203 [supplier.txt:2].", "1187"),
    Answer("a word in a quotation", SUPPLIER, 'It says "which invoice our payment of 240 pounds was for".', "euros"),
    Answer(
        "a quotation made up", SUPPLIER, "The supplier wrote: “Please pay at once” [supplier.txt:2].", "no such words"
    ),
    Answer("another time", DENTIST, "Your check-up is on 19 May at 9:40 [dentist.txt:2].", "8:40"),
    Answer("another floor", DENTIST, "Your check-up is on the third floor [dentist.txt:2].", "second"),
    Answer("the month before the day", DENTIST, "Your check-up is on 05/18 [dentist.txt:2].", "19 May"),
    Answer("a digit lost", MONEY, "The rent is 94 euros [budget.txt:2].", "940"),
    Answer("a digit more", MONEY, "The crown cost 2100 euros [dentist.txt:3].", "210"),
    Answer("a comma moved", MONEY, "The rent is 9.40 euros [budget.txt:2].", "940"),
    Answer(
        "a number of another thing", MONEY, "The electricity bill was 150 euros [budget.txt:3].", "those are savings"
    ),
    Answer("a wrong sum", MONEY, "Rent and electricity are 1036 euros together [budget.txt:2].", "1026"),
    Answer("another percentage", ("price list cards",), "Cards cost 5 percent more [meeting.txt:2].", "four"),
    Answer("a percentage in words", ("price list cards",), "Cards cost five percent more [meeting.txt:2].", "four"),
    Answer(
        "another weekday", ("parents evening school",), "Parents' evening is on a Tuesday [school.txt:3].", "Thursday"
    ),
)
