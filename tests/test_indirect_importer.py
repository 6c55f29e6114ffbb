"""Filling a document from a user's card file: a small made-up one with all the traps of the real ones."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from commandline import EXAMPLES

import lethal
from lethal.__main__ import main
from lethal.models.document import DocumentError
from lethal.models.marvel_cards import Cards, cards_of, fill, read_cards

PATH = Path(__file__).parent / "cases" / "indirect-cards.json"


@pytest.fixture(scope="module")
def cards() -> Cards:
    return read_cards(PATH)


def document(*characters: dict[str, Any], players: int = 1) -> dict[str, Any]:
    told = [{"name": "P", "characters": list(characters)}]
    told += [{"name": f"P{n}", "characters": []} for n in range(2, players + 1)]
    return {"kind": "indirect", "amount": 3, "players": told}


def filled(cards: Cards, *characters: dict[str, Any], players: int = 1) -> list[dict[str, Any]]:
    made, _ = fill(document(*characters, players=players), cards)
    assert lethal.load(made).problems() == []
    found: list[dict[str, Any]] = made["players"][0]["characters"]
    return found


def test_names_are_filled_with_type_hit_points_and_tough(cards: Cards) -> None:
    assert filled(cards, {"name": "Mara Venn"}, {"name": "Bellringer"}) == [
        {"name": "Mara Venn", "type": "alter-ego", "hit_points": 11},
        {"name": "Bellringer", "type": "ally", "hit_points": 3, "tough": 1},
    ]


def test_a_filled_document_is_solved_like_any_other(cards: Cards) -> None:
    made, _ = fill(document({"name": "Copper Gale"}, {"name": "Bellringer"}), cards)
    assert lethal.load(made).legal().count() == 4
    assert lethal.load(made).outcome({"indirect damage": {"Bellringer": 3}})["tough_spent"] == {
        "Bellringer": 1
    }


def test_what_the_document_states_is_left_alone(cards: Cards) -> None:
    told = {"name": "Bellringer", "hit_points": 2, "tough": 0, "damage": 1}
    assert filled(cards, told) == [{"type": "ally", **told}]


def test_characters_that_say_everything_need_no_card(cards: Cards) -> None:
    told = {"name": "Nobody", "type": "ally", "hit_points": 2}
    assert filled(cards, told) == [told]


def test_a_card_can_be_named_by_its_code_or_subname_under_another_name(cards: Cards) -> None:
    assert filled(cards, {"name": "My smith", "card": "90004"})[0]["hit_points"] == 5
    assert filled(cards, {"name": "My smith", "card": "Old Anvil (Younger)"})[0]["hit_points"] == 2


def test_a_name_that_several_cards_bear_is_refused_with_their_codes(cards: Cards) -> None:
    with pytest.raises(DocumentError, match=r"90004 \(ally, 5 hit points\), 90008"):
        fill(document({"name": "Old Anvil"}), cards)


@pytest.mark.parametrize("name", ["Shrinker", "Tidewalker"])
def test_variable_hit_points_must_be_stated(cards: Cards, name: str) -> None:
    with pytest.raises(DocumentError, match=r"players\[0\]\.characters\[0\]\.hit_points: they vary"):
        fill(document({"name": name}), cards)
    assert filled(cards, {"name": name, "hit_points": 6})[0]["hit_points"] == 6


def test_hit_points_for_each_player_are_multiplied(cards: Cards) -> None:
    found = filled(cards, {"name": "Rust Baron"}, players=3)
    assert (found[0]["hit_points"], found[0]["tough"]) == (42, 1)


def test_toughness_counts_as_a_keyword_only(cards: Cards) -> None:
    assert cards.find("Old Anvil (Younger)").tough == 0
    assert cards.find("90004").tough == 1
    assert cards.find("Bellringer").tough == 1
    assert cards.find("Lamplighter").tough == 0


@pytest.mark.parametrize(
    ("text", "tough"),
    [
        ("Toughness. <i>(It enters play with a card of that kind.)</i>", 1),
        ("Guard. <i>(You cannot attack anybody else.)</i> Toughness.", 1),
        ("Guard <i>(as above)</i>. Toughness <i>(as above)</i>.\nQuickstrike.", 1),
        ("<b>Guard.</b> <b>Toughness.</b>", 1),
        ("Give it Toughness.", 0),
        ("<i>(Toughness. Guard.)</i>", 0),
        ("Toughness is a virtue.", 0),
    ],
)
def test_reminders_around_a_keyword_neither_hide_nor_make_it(text: str, tough: int) -> None:
    card = {"code": "1", "name": "A", "type_code": "ally", "health": 3, "text": text}
    assert cards_of([card]).find("A").tough == tough


def test_text_that_speaks_of_immunity_is_a_warning_not_a_guess(cards: Cards) -> None:
    made, warnings = fill(document({"name": "Glasshouse"}), cards)
    assert "cannot_take_damage" not in made["players"][0]["characters"][0]
    assert warnings == ["Glasshouse (90006): its text says that something cannot take damage"]


def test_a_reprint_is_the_card_it_reprints_or_left_out(cards: Cards) -> None:
    assert cards.find("90010").name == "Lamplighter"
    assert cards.find("Lamplighter").hit_points == 3
    with pytest.raises(KeyError):
        cards.find("90011")


def test_cards_that_are_no_characters_are_left_out(cards: Cards) -> None:
    with pytest.raises(KeyError):
        cards.find("Watchtower")


def test_the_type_picks_among_cards_of_one_name() -> None:
    both = [
        {"code": "1", "name": "Twin", "type_code": "hero", "health": 9},
        {"code": "2", "name": "Twin", "type_code": "ally", "health": 3},
    ]
    assert cards_of(both).find("Twin", "ally").hit_points == 3
    assert cards_of(both).find("Twin", "identity").hit_points == 9


def test_a_misspelt_name_is_answered_with_the_nearest_and_all_are_listed(cards: Cards) -> None:
    with pytest.raises(DocumentError) as caught:
        fill(document({"name": "Bellringr"}, {"name": "Xyz"}), cards)
    assert len(caught.value.defects) == 2
    assert "did you mean 'Bellringer'" in caught.value.defects[0]


@pytest.mark.parametrize(
    ("entries", "words"),
    [
        ({"code": "1"}, "list of cards"),
        ([{"name": "A", "type_code": "ally"}], "'code'"),
        ([{"code": "1", "type_code": "ally", "health": 1}], "name"),
        ([{"code": "1", "name": "A", "type_code": "ally", "health": -1}], "health"),
        ([{"code": "1", "name": "A", "type_code": "ally", "health": "3"}], "health"),
        ([{"code": "1", "name": "A", "type_code": "ally", "text": 3}], "text"),
    ],
)
def test_a_file_that_is_no_card_list_is_refused(entries: Any, words: str) -> None:
    with pytest.raises(DocumentError, match=words):
        cards_of(entries)


def test_a_file_that_is_not_json_is_refused(tmp_path: Path) -> None:
    (tmp_path / "cards.json").write_text("{", encoding="utf-8")
    with pytest.raises(DocumentError, match="not JSON"):
        read_cards(tmp_path / "cards.json")


def test_the_made_up_file_holds_every_trap() -> None:
    told = json.loads(PATH.read_text(encoding="utf-8"))
    assert any(card.get("health") == 0 for card in told)
    assert any(card.get("health_star") for card in told)
    assert any("duplicate_of" in card for card in told)


def test_the_command_fills_a_document_from_a_card_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "indirect.json"
    path.write_text(json.dumps(document({"name": "Copper Gale"}, {"name": "Glasshouse"})), encoding="utf-8")
    assert main(["count", str(path), "--cards", str(PATH), "--json"]) == 0
    told = capsys.readouterr()
    assert json.loads(told.out) == {"count": 3}
    assert told.err.startswith("warning: Glasshouse (90006)")
    assert main(["count", str(path)]) == 2
    capsys.readouterr()


@pytest.mark.parametrize("game", ["palace-guard", "unlimited-indirect"])
def test_only_games_with_a_card_file_take_one(game: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["count", str(EXAMPLES / f"{game}.toml"), "--cards", str(PATH)]) == 2
    assert capsys.readouterr().err.startswith("error: --cards: ")


def test_a_card_file_that_is_not_there_is_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["count", str(EXAMPLES / "indirect-group.toml"), "--cards", "nowhere.json"]) == 2
    assert capsys.readouterr().err == "error: nowhere.json: No such file or directory\n"
