"""How the database came to look as it does; a migration that has run is never changed."""

from __future__ import annotations

from sqlite_utils import Migrations

from app.store.migrations.m001_schema import m001_schema
from app.store.migrations.m002_keys_and_quotas import m002_keys_and_quotas
from app.store.migrations.m003_pen_links import m003_pen_links
from app.store.migrations.m004_erasure import m004_erasure
from app.store.migrations.m005_undo_stack import m005_undo_stack
from app.store.migrations.m006_recovery_and_phones import m006_recovery_and_phones
from app.store.migrations.m007_without_a_network import m007_without_a_network
from app.store.migrations.m008_clock_and_currency import m008_clock_and_currency
from app.store.migrations.m009_transfers import m009_transfers
from app.store.migrations.m010_month_totals import m010_month_totals
from app.store.migrations.m011_gone_links import m011_gone_links
from app.store.migrations.m012_falls import m012_falls
from app.store.migrations.m013_plain_erasure import m013_plain_erasure
from app.store.migrations.m014_plain_phones import m014_plain_phones
from app.store.migrations.m015_evenings import m015_evenings

migrations = Migrations("chicago")

# In this order: each finds what those before it left.
for migration in (
    m001_schema,
    m002_keys_and_quotas,
    m003_pen_links,
    m004_erasure,
    m005_undo_stack,
    m006_recovery_and_phones,
    m007_without_a_network,
    m008_clock_and_currency,
    m009_transfers,
    m010_month_totals,
    m011_gone_links,
    m012_falls,
    m013_plain_erasure,
    m014_plain_phones,
    m015_evenings,
):
    migrations()(migration)
