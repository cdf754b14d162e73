"""Every form of a table is known to be carried out again on the server, or not: stories.txt."""

from flask import Flask

from app.offline.pages import FORMS

# Forms of a table that need others or the server, or change nothing that is pushed.
ELSEWHERE = """
pens.hand_over pens.take pens.revoke_others
pens.make_recovery pens.turn_recovery_off pens.see_recovery pens.recover
files.add_games erasure.forget
notes.doubt notes.wave_off notes.pay_to notes.save_own_number notes.say_paid notes.answer_paid
"""


def test_every_form_of_a_table_is_known_to_be_carried_out_again_or_not(server: Flask) -> None:
    """A new form must be classified: the server may carry it out at a later time, or not."""
    forms = {
        rule.endpoint
        for rule in server.url_map.iter_rules()
        if rule.rule.startswith("/t/<link>") and "POST" in (rule.methods or ())
    }
    assert forms == (FORMS - {"phone.decide"}) | {*ELSEWHERE.split()}
