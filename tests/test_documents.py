"""Combat documents: what every key means, what is assumed, and what contradicts itself."""

from __future__ import annotations

import json
import pickle
from typing import Any

import pytest
from combats import creature, document, two_on_one

from lethal.models.combat_document import defects, read_combat
from lethal.models.combat_types import Combat, Defender
from lethal.models.document import DocumentError, nearest, parse

GUARD = """
kind = "combat"
rules = "ordered"
[[attackers]]
name = "Acidic Slime"
power = 2
toughness = 2
keywords = ["Deathtouch"]
[[attackers]]
name = "Yavimaya Wurm"
power = 6
toughness = 4
keywords = ["Trample"]
[[blockers]]
name = "Palace Guard"
power = 1
toughness = 4
blocks = ["Acidic Slime", "Yavimaya Wurm"]
"""


def combat(document: dict[str, Any]) -> Combat:
    return read_combat(document)[0]


# Reading the text ---------------------------------------------------------------------------------


def test_toml_and_json_spell_the_same_document() -> None:
    as_toml = parse(GUARD)
    assert parse(json.dumps(as_toml)) == as_toml
    assert parse(json.dumps(as_toml), ".JSON") == as_toml
    assert parse("\ufeff" + GUARD, "toml") == as_toml
    assert parse("\n  " + json.dumps(as_toml, indent=2)) == as_toml


@pytest.mark.parametrize(
    ("text", "ending", "words"),
    [
        ('kind = "combat', "", "not TOML"),
        ('kind = "combat"\nkind = "combat"', "toml", "not TOML"),
        ('{"kind": }', "", "not JSON"),
        ('kind = "combat"', "json", "not JSON"),
        ("[1, 2]", "json", "expected a table of keys, got [1, 2]"),
        ('{"kind": "combat", "kind": "shuffle"}', "", "the key 'kind' is given twice"),
        ('{"a": [{"x": 1, "x": 2}]}', "", "the key 'x' is given twice"),
        ("[" * 100_000, "json", "nested too deeply"),
        ('{"a": ' * 100_000, "", "nested too deeply"),
        (f'{{"power": {"9" * 5000}}}', "", "not JSON"),
        (f"power = {'9' * 5000}", "", "not TOML"),
        ("a = " + "[" * 100_000, "", "nested too deeply"),
    ],
)
def test_text_that_cannot_be_read_says_what_is_wrong(text: str, ending: str, words: str) -> None:
    with pytest.raises(DocumentError) as error:
        parse(text, ending)
    assert error.value.defects[0].startswith("document: ")
    assert words in error.value.defects[0]
    assert len(error.value.defects) == 1


def test_a_fault_in_the_text_is_placed() -> None:
    with pytest.raises(DocumentError, match="line 2"):
        parse('kind = "combat"\ntitle = oops')


def test_the_error_survives_pickling() -> None:
    error = DocumentError(["a: b", "c: d"])
    again = pickle.loads(pickle.dumps(error))
    assert again.defects == ("a: b", "c: d")
    assert str(again) == "a: b\nc: d"


@pytest.mark.parametrize(
    ("name", "close"), [("palace gaurd", "Palace Guard"), ("WURM", "Wurm"), ("zzz", None), ("", None)]
)
def test_the_nearest_name_ignores_case(name: str, close: str | None) -> None:
    assert nearest(name, ["Wurm", "Palace Guard"]) == close


# Defaults -----------------------------------------------------------------------------------------


def test_what_is_left_out_is_assumed() -> None:
    found, warnings = read_combat(document(attackers=[creature("Bear")]))
    assert (found.rules, found.assigning, found.step) == ("foundations", "attackers", "only")
    assert found.defenders == (Defender("player", "player", 20),)
    assert (found.joint, found.zero_power_lethal) == ("assigner", 1)
    bear = found.attackers[0]
    assert (bear.attacks, bear.blocked, bear.damage, bear.value) == ("player", False, 0, None)
    assert warnings == []


def test_every_key_of_a_creature_arrives() -> None:
    keys = {
        "damage": 1,
        "keywords": ["First  Strike", "TRAMPLE", "Protection from red", "Toxic 2"],
        "value": 2.5,
        "colors": ["green"],
        "protection_from": ["red", "Bear"],
        "prevent_next": 3,
        "indestructible": True,
        "regeneration_shields": 1,
        "shield_counters": 2,
        "assigns": "toughness",
        "as_though_unblocked": True,
        "lethal_by": "power",
        "divides_freely": True,
        "band": "b",
        "deals_multiplier": 2,
        "dealt_first_strike_damage": True,
        "unpreventable": True,
    }
    found, warnings = read_combat(document(attackers=[creature("Odd", -1, 0, **keys)]))
    odd = found.attackers[0]
    assert (odd.name, odd.power, odd.toughness) == ("Odd", -1, 0)
    assert odd.keywords == {"first strike", "trample", "protection from red", "toxic 2"}
    for key in set(keys) - {"keywords"}:
        value = keys[key]
        assert getattr(odd, key) == (tuple(value) if isinstance(value, list) else value), key
    assert warnings == []


def test_indestructible_may_be_a_keyword() -> None:
    assert (
        combat(document(attackers=[creature("God", keywords=["Indestructible"])])).attackers[0].indestructible
    )


def test_the_common_keys_and_readings_arrive() -> None:
    more = {"title": "t", "source": "s", "note": "n", "rules": "m10", "assigning": "blockers"}
    found = combat(document(**more, options={"joint": "all", "zero_power_lethal": 0}))
    assert all(getattr(found, key) == value for key, value in more.items())
    assert (found.joint, found.zero_power_lethal) == ("all", 0)


@pytest.mark.parametrize(
    ("keywords", "step", "expected"),
    [
        (["First strike"], None, "first-strike"),
        (["Double Strike"], None, "first-strike"),
        (["Double strike"], "regular", "regular"),
        ([], "regular", "regular"),
        ([], "only", "only"),
        ([], None, "only"),
    ],
)
def test_the_step_is_the_first_there_is(keywords: list[str], step: str | None, expected: str) -> None:
    blockers = [creature("Knight", keywords=keywords)]
    more = {} if step is None else {"step": step}
    assert combat(document(blockers=blockers, **more)).step == expected


def test_no_only_step_where_something_strikes_first() -> None:
    found = defects(document(blockers=[creature("Knight", keywords=["first strike"])], step="only"))
    assert found == ['step: expected "first-strike" or "regular", because \'Knight\' strikes first']


# Copies -------------------------------------------------------------------------------------------


def test_a_count_makes_numbered_copies_and_the_bare_name_means_all() -> None:
    blockers = [creature("Saproling", 1, 1, count=3, blocks=["Wurm"])]
    order = {"Wurm": ["Saproling"]}
    found = combat(document(attackers=[creature("Wurm", 6, 4)], blockers=blockers, order=order))
    names = ("Saproling 1", "Saproling 2", "Saproling 3")
    assert tuple(c.name for c in found.blockers) == names
    assert found.order == {"Wurm": names}
    assert {c.blocks for c in found.blockers} == {("Wurm",)}


def test_a_copy_goes_by_its_own_name_too() -> None:
    attackers = [creature("Bear", count=3, band="all")]
    blockers = [creature("Wall", blocks=["Bear 2", "Bear 1", "Bear 3"])]
    found = combat(document(attackers=attackers, blockers=blockers, order={"Wall": ["Bear"]}))
    assert found.blockers[0].blocks == ("Bear 2", "Bear 1", "Bear 3")
    assert found.order["Wall"] == ("Bear 1", "Bear 2", "Bear 3")


def test_an_order_for_a_bare_name_holds_for_every_copy() -> None:
    attackers = [creature("Bear", count=2)]
    blockers = [creature("A", blocks=["Bear"]), creature("B", blocks=["Bear"])]
    found = combat(document(attackers=attackers, blockers=blockers, order={"Bear": ["B", "A"]}))
    assert found.order == {"Bear 1": ("B", "A"), "Bear 2": ("B", "A")}


def test_a_single_copy_is_numbered_too() -> None:
    assert combat(document(attackers=[creature("Bear", count=1)])).attackers[0].name == "Bear 1"


@pytest.mark.parametrize("count", [0, -1, 1001, True, "3", 2.0])
def test_a_count_is_a_number_from_1_to_1000(count: Any) -> None:
    found = defects(document(attackers=[creature("Bear", count=count)]))
    assert len(found) == 1
    assert found[0].startswith("attackers[0].count: expected ")


# Names --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("attackers", "blockers", "place"),
    [
        (["A", "A"], [], "attackers[1].name"),
        (["A"], ["A"], "blockers[0].name"),
        (["player"], [], "attackers[0].name"),
        (["nothing"], [], "attackers[0].name"),
        ([""], [], "attackers[0].name"),
    ],
)
def test_names_are_unique_and_not_reserved(attackers: list[str], blockers: list[str], place: str) -> None:
    both = {"attackers": [creature(n) for n in attackers], "blockers": [creature(n) for n in blockers]}
    found = defects(document(**both))
    assert [line.split(":")[0] for line in found] == [place]


@pytest.mark.parametrize("other", ["Bear", "Bear 2"])
def test_neither_a_copy_nor_its_bare_name_may_be_borne_by_another(other: str) -> None:
    found = defects(document(attackers=[creature("Bear", count=3)], blockers=[creature(other)]))
    assert found == [f"blockers[0].name: {other!r} is also the name at attackers[0].name"]


def test_a_name_that_nothing_bears_gets_the_nearest_right_one() -> None:
    attackers = [creature("Yavimaya Wurm", attacks="playr")]
    blockers = [creature("Guard", blocks=["Yavimaya Wrum", "Guard", "Nobody"])]
    assert defects(document(attackers=attackers, blockers=blockers, order={"Gaurd": []})) == [
        "blockers[0].blocks[0]: no attacker is named 'Yavimaya Wrum'; did you mean 'Yavimaya Wurm'?",
        "blockers[0].blocks[1]: no attacker is named 'Guard'; 'Guard' is on the other side",
        "blockers[0].blocks[2]: no attacker is named 'Nobody'",
        "attackers[0].attacks: nothing to attack is named 'playr'; did you mean 'player'?",
        "order.Gaurd: no creature is named 'Gaurd'; did you mean 'Guard'?",
    ]


def test_an_attacker_may_attack_what_is_gone() -> None:
    assert combat(document(attackers=[creature("Bear", attacks="nothing")])).attackers[0].attacks == "nothing"


def test_a_name_with_a_line_break_does_not_break_the_line() -> None:
    strange = document(attackers=[creature("a\nb"), creature("a\nb")], order={"c\nd: e": []})
    found = defects(strange)
    assert len(found) == 2
    assert not any("\n" in line for line in found)


# Being blocked ------------------------------------------------------------------------------------


def test_an_attacker_that_a_blocker_blocks_is_blocked_and_so_is_its_band() -> None:
    attackers = [creature("A", band="b"), creature("B", band="b"), creature("C"), creature("D", blocked=True)]
    found = combat(document(attackers=attackers, blockers=[creature("Wall", blocks=["A"])]))
    assert [c.blocked for c in found.attackers] == [True, True, False, True]


def test_blocked_cannot_be_denied() -> None:
    attackers = [creature("Wurm", blocked=False)]
    found = defects(document(attackers=attackers, blockers=[creature("Wall", blocks=["Wurm"])]))
    assert found == ["attackers[0].blocked: expected true, because 'Wurm' is being blocked"]


def test_an_attacker_is_blocked_once_by_each() -> None:
    blockers = [creature("Wall", blocks=["Bear", "Bear 2"])]
    found = defects(document(attackers=[creature("Bear", count=2)], blockers=blockers))
    assert found == ["blockers[0].blocks[1]: 'Bear 2' is named twice"]


# What can be attacked -----------------------------------------------------------------------------


def test_a_planeswalker_has_its_controller() -> None:
    defenders = [
        {"name": "Ann", "life": 7},
        {"name": "Jace", "loyalty": 3, "controller": "Ann"},
        {"name": "Siege", "defense": 5},
        {"name": "Bob"},
    ]
    found = combat(document(attackers=[creature("Bear")], defenders=defenders))
    assert found.defenders == (
        Defender("Ann", "player", 7),
        Defender("Jace", "planeswalker", None, 3, None, "Ann"),
        Defender("Siege", "battle", None, None, 5, "Ann"),
        Defender("Bob", "player", 20),
    )
    assert found.attackers[0].attacks == "Ann"


@pytest.mark.parametrize(("keys", "name"), [({}, "player"), ({"controller": "Ann"}, "Ann")])
def test_a_controller_who_is_not_listed_is_a_player(keys: dict[str, str], name: str) -> None:
    found = combat(document(attackers=[creature("Bear")], defenders=[{"name": "Jace", "loyalty": 3, **keys}]))
    assert found.defenders[1:] == (Defender(name, "player", 20),)
    assert found.attackers[0].attacks == "Jace"


def test_an_unlisted_controller_takes_no_creatures_name() -> None:
    defenders = [{"name": "Jace", "loyalty": 3}]
    found = defects(document(attackers=[creature("player")], defenders=defenders))
    assert found == ["attackers[0].name: 'player' is also the name of the defending player"]


def test_defenders_are_one_thing_each() -> None:
    defenders = [
        {"name": "Ann", "life": 7, "loyalty": 3},
        {"name": "Bob", "controller": "Bob"},
        {"name": "Jace", "loyalty": 3, "controller": "Bbo"},
    ]
    assert defects(document(defenders=defenders)) == [
        "defenders[0]: has life and loyalty; a defender has one of life, loyalty, defense",
        "defenders[1].controller: a player has no controller, got 'Bob'",
        "defenders[2].controller: no player is named 'Bbo'; did you mean 'Bob'?",
    ]


# Orders -------------------------------------------------------------------------------------------


def test_an_announced_order_names_exactly_the_creatures_it_orders() -> None:
    assert combat(two_on_one(order={"Wurm": ["Wall", "Cadet"]})).order == {"Wurm": ("Wall", "Cadet")}
    assert combat(two_on_one(order={"Wurm": "any"})).order == {"Wurm": "any"}
    assert combat(two_on_one()).order == {}


@pytest.mark.parametrize(
    ("order", "expected"),
    [
        (["Wall"], ["order.Wurm: 'Cadet' is missing; it and 'Wurm' block each other"]),
        (["Wall", "Cadet", "Wall"], ["order.Wurm[2]: 'Wall' is named twice"]),
        (["Wall", "Cadet", "Wal"], ["order.Wurm[2]: no blocker is named 'Wal'; did you mean 'Wall'?"]),
        (
            ["Wall", "Cadet", "Wurm"],
            ["order.Wurm[2]: no blocker is named 'Wurm'; 'Wurm' is on the other side"],
        ),
        ("all", ["order.Wurm: expected a list or \"any\", got 'all'"]),
        (7, ['order.Wurm: expected a list or "any", got 7']),
    ],
)
def test_an_order_that_does_not_is_a_defect(order: Any, expected: list[str]) -> None:
    assert defects(two_on_one(order={"Wurm": order})) == expected


def test_an_order_names_no_creature_that_is_elsewhere() -> None:
    scenario = two_on_one(order={"Wurm": ["Wall", "Cadet", "Idle"]})
    scenario["blockers"].append(creature("Idle"))
    assert defects(scenario) == ["order.Wurm[2]: 'Idle' and 'Wurm' do not block each other"]


def test_no_order_is_announced_at_all() -> None:
    found = combat(two_on_one(order="any"))
    assert found.order_any
    assert found.order == {}
    assert defects(two_on_one(order="anny")) == [
        "order: expected \"any\" or a table of keys, got 'anny'; did you mean 'any'?"
    ]


def test_who_blocks_one_of_a_band_is_ordered_for_all_of_it() -> None:
    attackers = [creature("A", band="b", keywords=["banding"]), creature("B", band="b")]
    scenario = document(attackers=attackers, blockers=[creature("Wall", blocks=["A"])])
    assert combat({**scenario, "order": {"Wall": ["B", "A"], "B": ["Wall"]}}).order["Wall"] == ("B", "A")
    found = defects({**scenario, "order": {"Wall": ["A"]}})
    assert found == ["order.Wall: 'B' is missing; it and 'Wall' block each other"]


# Warnings -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "word",
    [
        "Flying",
        "Ward {2}",
        "Toxic 3",
        "Protection from everything",
        "Hexproof from blue",
        "Islandwalk",
        "Crew 3",
    ],
)
def test_keywords_that_cards_have_warn_of_nothing(word: str) -> None:
    assert read_combat(document(attackers=[creature("A", keywords=[word])]))[1] == []


@pytest.mark.parametrize(
    ("word", "close"),
    [
        ("deathtuoch", "deathtouch"),
        ("Trample over planeswalker", "trample over planeswalkers"),
        ("first-strike", "first strike"),
        ("toxic", None),
        ("florbing", None),
    ],
)
def test_an_unknown_keyword_is_kept_and_ignored_with_a_warning(word: str, close: str | None) -> None:
    found, warnings = read_combat(document(blockers=[creature("A", keywords=[word], count=2)]))
    assert found.blockers[1].keywords == {word.casefold()}
    assert len(warnings) == 1
    assert warnings[0].startswith(f"blockers[0].keywords: no keyword {word.casefold()!r} is known")
    if close is not None:
        assert f"did you mean {close!r}?" in warnings[0]


def test_a_blocker_in_a_band_gets_a_warning() -> None:
    assert "band" in read_combat(document(blockers=[creature("A", band="b")]))[1][0]
