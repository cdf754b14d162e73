"""Mending in words: the moments of a game, and what no longer fits into it."""

from __future__ import annotations

from collections.abc import Mapping

from app.i18n.errors import error_text
from app.i18n.language import N_, Language
from app.rules.amendment import Misfit, Moment
from app.rules.state import Step

STEP_NAMES: Mapping[Step, str] = {
    Step.HAND_1: N_("first exchange"),
    Step.HAND_2: N_("second exchange"),
    Step.HAND_3: N_("third exchange"),
    Step.PLAY: N_("the play"),
    Step.CHICAGO_PLAY: N_("the Chicago"),
    Step.LAST_TRICK: N_("after the Chicago"),
    Step.FINAL_HAND: N_("after the play"),
    Step.OVER: N_("the game is over"),
}
COULD_NOT_BID = N_("%(player)s could not bid in deal %(deal)s: %(score)s, %(minimum)s needed.")


def moment_text(moment: Moment, language: Language) -> str:
    """A moment of a game: `Giv 4 · andra köpet`."""
    step = language.gettext(STEP_NAMES[moment.step])
    return language.gettext("Deal %(deal)s · %(step)s", deal=moment.deal, step=step)


def misfit_text(misfit: Misfit, language: Language) -> str:
    """Why an entry no longer fits, in one sentence."""
    reason, moment = misfit.reason, misfit.entry.moment
    if reason.code != "chicago_minimum" or moment is None:
        return error_text(reason, language)
    score = language.points(int(str(reason.values["score"])))
    values = {**reason.values, "score": score, "deal": moment.deal}
    return language.gettext(COULD_NOT_BID) % values
