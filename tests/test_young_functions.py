"""Scripts ask for every function younger than 2021 before they use it: an older phone has none."""

import re
from pathlib import Path

STATIC = Path(__file__).parents[1] / "static"
# What phones of these years lack, as scripts write it after a dot; and what stands alone.
METHODS = """
any timeout throwIfAborted at findLast findLastIndex hasOwn groupBy withResolvers try toSorted
toReversed toSpliced fromAsync requestSubmit showModal close showPopover hidePopover togglePopover
randomUUID canParse checkVisibility moveBefore startViewTransition parseHTMLUnsafe setHTMLUnsafe
isSubsetOf intersection difference getOrInsert persist persisted getDirectory canShare vibrate
requestIdleCallback
"""
THINGS = """
wakeLock locks navigationPreload userActivation setAppBadge connection popover inert
"""
GLOBALS = """
structuredClone requestIdleCallback CompressionStream DecompressionStream BroadcastChannel
URLPattern navigation cookieStore CloseWatcher scheduler Highlight Iterator Temporal reportError
WeakRef FinalizationRegistry
"""
# Some of older things have the same name.
OLDER = re.compile(r"(?:stream|database|Promise)\??\.(?:close|any)\(")
# What cannot be asked for: selectors and signs, and what is silently not there.
UNREADABLE = re.compile(r":has\(|:modal|:popover-open|:user-(?:in)?valid|\(\?<[=!]|\.aria[A-Z]")
USES = re.compile(
    rf"\.(?P<method>{'|'.join(METHODS.split())})\("
    rf"|\.(?P<thing>{'|'.join(THINGS.split())})\b(?!\?)"
    rf"|(?<![\w.$\"-])(?P<global>{'|'.join(GLOBALS.split())})[(.]|(?P<answer>Response\.json)\("
)


def test_no_script_takes_for_granted_what_an_older_phone_lacks() -> None:
    """It asks by `?.`, or by what the same script looks at before."""
    scripts = [path for path in STATIC.rglob("*.js") if "vendor" not in path.parts]
    assert len(scripts) > 10
    assert {
        path.name: found for path in scripts if (found := find_unasked(path.read_text("utf-8")))
    } == {}


NOT_ASKED_FOR = """\
const last = rows.at(-1);
fetch(url, { signal: AbortSignal.timeout(10) });
const copy = structuredClone(entry);
form.requestSubmit();
all("details:has(.fault)");
cells.find((cell) => !cell.ariaDisabled);
await navigator.wakeLock.request();
"""
ASKED_FOR = """\
navigator.vibrate?.(10);
const { type } = navigator.connection ?? {};
if (!navigator.wakeLock) return; navigator.wakeLock.request();
if (!dialog.showModal) return; dialog.showModal();
"""


def test_what_is_not_asked_for_is_found() -> None:
    """The test itself reads scripts as they are written here; `?.`, `??`, `if (!…)` are asking."""
    assert [line for line in NOT_ASKED_FOR.splitlines() if not find_unasked(line)] == []
    assert [line for line in ASKED_FOR.splitlines() if find_unasked(line)] == []


def find_unasked(script: str) -> list[str]:
    """Return what a script uses that is young, and that it has not asked for."""
    code = OLDER.sub("", re.sub(r"(?m)^\s*//.*$", "", script))
    found = [next(filter(None, use.groups())) for use in USES.finditer(code)]
    asked = [name for name in found if re.search(rf"if \(.*!\w+\.{name}\b|\.{name} \?\?", code)]
    return [name for name in found if name not in asked] + UNREADABLE.findall(code)
