"""Layout faults of a page on a screen, found in the page itself."""

from pathlib import Path

from playwright.sync_api import Page

# A page is at rest when its scripts and letters are there and it has been drawn twice more.
AT_REST = """() => import(document.documentElement.dataset.script).catch(() => {})
    .then(() => document.fonts.ready)
    .then(() => new Promise((tell) => requestAnimationFrame(() => requestAnimationFrame(tell))))"""
# On the keeper's board, which has a strip and a bar for the thumb; to half a pixel.
PLACES = """() => Object.fromEntries(
    (document.querySelector(".table:has(.strip) .bar") ? [".strip", ".heads", ".bar"] : [])
        .map((part) => [part, document.querySelector(part)?.getBoundingClientRect()])
        .filter(([, box]) => box)
        .map(([part, box]) => [part, [box.x, box.y, box.width, box.height]
            .map((length) => Math.round(length * 2) / 2)]))"""
# Letters, with the opacity of all that they are in, and what they stand on.
PALE_IN_PRINT = """() => {
    const style = (part) => getComputedStyle(part);
    const opacity = (part) => part ? style(part).opacity * opacity(part.parentElement) : 1;
    const ink = (part) => style(part)[part.closest("svg text") ? "fill" : "color"];
    const seen = [...document.querySelectorAll("body, body *")]
        .filter((part) => part.checkVisibility());
    const pale = seen
        .filter(({childNodes}) => [...childNodes].some((inside) => inside.data?.trim()))
        .filter((part) => ink(part) !== "rgb(0, 0, 0)" || opacity(part) < 1);
    const white = ["rgb(255, 255, 255)", "rgba(0, 0, 0, 0)"];
    const dark = seen.filter((part) => !white.includes(style(part).backgroundColor));
    return [...new Set([...pale, ...dark])]
        .map((part) => `pale: ${part.outerHTML.slice(0, 120)} ${ink(part)}`);
}"""
FIND = Path(__file__).with_suffix(".js").read_text("utf-8").rstrip()


def find_faults(page: Page) -> list[str]:
    """Find parts that are cut off, covered, small, pale, out of reach, or wider than the screen.

    A sheet that lies over the page is looked at alone: what is behind it may be covered.
    """
    faults: list[str] = page.evaluate(f"() => ({AT_REST})().then({FIND})")
    return faults


def find_pale_in_print(page: Page) -> list[str]:
    """Find what a phone in dark colours prints otherwise than black on white."""
    page.emulate_media(media="print", color_scheme="dark")
    pale: list[str] = page.evaluate(PALE_IN_PRINT)
    page.emulate_media(media="screen", color_scheme="dark")
    return pale


def find_moved(page: Page, stood: dict[str, list[float]]) -> list[str]:
    """Find parts of a keeper's board that do not stand where they `stood`; notes new ones there."""
    places: dict[str, list[float]] = page.evaluate(PLACES)
    return [
        f"moved: {part} from {stood[part]} to {box}"
        for part, box in places.items()
        if stood.setdefault(part, box) != box
    ]
