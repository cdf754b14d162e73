from app.i18n.language import CODES
from tests.web.conftest import NewPhone, Seat
from tests.web.phone import Phone


def spoken(phone: Phone) -> str:
    """Return the language in the page's `lang` attribute."""
    return phone.page.elements("html")[0]["lang"]


def test_the_browsers_language_is_spoken(new_phone: NewPhone) -> None:
    """A phone gets the supported language that it prefers, or else Swedish."""
    wanted = {
        "sv-SE,sv;q=0.9,en;q=0.8": "sv",
        "en-GB,en;q=0.9,sv;q=0.5": "en",
        "sv;q=0.4,en;q=0.8": "en",
        "fi": "fi",
        "fi-FI,fi;q=0.9,en;q=0.8": "fi",
        "nb,fi;q=0.3": "fi",
        "de": "sv",
        "*": "sv",
        "": "sv",
        "xx;q=x,,": "sv",
    }
    for header, code in wanted.items():
        phone = new_phone(language=header)
        phone.open("/")
        assert spoken(phone) == code, header


def test_every_language_has_its_button(phone: Phone) -> None:
    """Each is offered under its own name, with the current one marked; Swedish comes first."""
    phone.open("/")
    for code, name in {"sv": "Svenska", "fi": "Suomi", "en": "English"}.items():
        phone.press(name)
        phone.open("/")
        assert spoken(phone) == code
        buttons = phone.page.elements("button[name=language]")
        assert [button["lang"] for button in buttons] == list(CODES)
        assert [b["lang"] for b in buttons if b.get("aria-current")] == [code]
    assert CODES[0] == "sv"


def test_a_language_not_spoken_here_changes_nothing(phone: Phone) -> None:
    """Only a language with a button can be chosen."""
    phone.open("/")
    phone.send("/language", {"language": "de", "back": "/"})
    assert spoken(phone) == "en"


def test_refusals_are_in_the_language_of_whoever_asks(seat: Seat, new_phone: NewPhone) -> None:
    """The reason for a dimmed cell is given in the language of the phone."""
    texts = []
    for code in CODES:
        phone = seat(new_phone(language=code), "no hands")
        chicago = [each for each in phone.page.buttons if each.label.startswith("Bo: Chicago")]
        phone.submit(chicago[0])
        texts.append(phone.page.announcement)
    assert len(set(texts)) == len(CODES)
    assert all("Bo" in text and "15" in text for text in texts)
