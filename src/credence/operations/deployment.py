"""Readings of what a deployment has: scopes, rates, sources, runs, disputes, policies, settings, findings (D30).

Those without a command are in the API alone: the command of the same subject prints more, or from where the data are.
"""

import asyncio
from functools import partial
from typing import Annotated, Final

import msgspec
from msgspec import UNSET, Struct, UnsetType

from credence.companies.number import normalise
from credence.management import data_history, inventory, score_runs
from credence.management.examination import examined
from credence.management.schema import SettingState, SettingStates
from credence.management.service_schema import (
    Disputes,
    Findings,
    FindingState,
    Limits,
    Policies,
    Scopes,
    ServiceHealth,
    Sources,
)
from credence.management.settings import settings_shown
from credence.meanings import Input, meaning
from credence.oauth.parameters.scopes import MANAGE_READ
from credence.operations.acting import READ, Access, Acting
from credence.operations.operation import Noun, as_it_is
from credence.operations.reading import reading
from credence.refusals.refusal import Refused, because
from credence.refusals.resources import RESOURCE_UNKNOWN


class Deployment(Struct):
    """What a deployment has is read by lists alone."""


DEPLOYMENT: Final[Noun[Deployment]] = Noun(name="deployment", path="", state=as_it_is(Deployment), needs_store=False)
_reading = partial(reading, on=DEPLOYMENT, lists=True, access=READ)


@_reading("app scopes", api="scopes", rows="scopes", title="List the scopes")
async def list_scopes(by: Acting, _found: None, _query: None) -> Scopes:
    """List every scope that can be written to an application, and the resource that its tokens are for."""
    return inventory.scopes(by.means.settings)


@_reading("app limits", api="limits", rows="limits", title="List the rates")
async def list_limits(by: Acting, _found: None, _query: None) -> Limits:
    """List the rates of the service (D16). `spike_per_minute` of an application replaces the first."""
    return inventory.limits(by.means.settings)


@_reading("data status", api="data", rows="sources", title="List the sources of credit data")
async def list_data(by: Acting, _found: None, _query: None) -> Sources:
    """List the sources of credit data: date, age, content, size, faults and hold of each."""
    return await asyncio.to_thread(inventory.sources, by.means.settings, by.now)


@_reading("data loads", api="data/loads", rows="loads", title="List the newest loads")
async def list_loads(by: Acting, _found: None, _query: None) -> data_history.Loads:
    """List the newest loads and scoring runs of this node, at most 200: when, how long, rows and rejected rows."""
    return await asyncio.to_thread(data_history.loads, by.means.settings)


@_reading("score runs", api="data/runs", rows="runs", title="List the scoring runs")
async def list_runs(by: Acting, _found: None, _query: None) -> score_runs.Runs:
    """List the runs of the scores in service, the newest first, with what each found.

    Of a run by an earlier version that is unknown.
    """
    return await asyncio.to_thread(score_runs.runs, by.means.settings)


class OfCompany(Struct):
    """Which disputes are listed."""

    company: Annotated[
        str | UnsetType,
        meaning("Only those about this company.", example="99999901"),
        Input(argument=True, default="all companies"),
    ] = UNSET


@_reading("data disputes", api="disputes", rows="disputes", title="List the disputes")
async def list_disputes(by: Acting, _found: None, query: OfCompany) -> Disputes:
    """List the disputes, those that are closed included. `credence data dispute` decides one."""
    found = (await asyncio.to_thread(inventory.listed_disputes, by.means.settings)).disputes
    return Disputes([each for each in found if query.company is UNSET or each.company == normalise(query.company)])


@_reading("policy list", api="policies", rows="policies", title="List the policies")
async def list_policies(by: Acting, _found: None, _query: None) -> Policies:
    """List the files of the policy folder. One that cannot be read says why, and decides nothing."""
    return await asyncio.to_thread(inventory.policies, by.means.settings)


class TwoRuns(Struct):
    """Which scoring runs are compared."""

    run: Annotated[
        str,
        meaning("The later run: its number, or `newest`.", example="newest"),
        Input(argument=True, default="the newest"),
    ] = score_runs.NEWEST
    since: Annotated[
        str | UnsetType,
        meaning("The earlier run, or `fitting`: the fitting data. Default: the run before."),
        Input("The earlier run, or fitting: the fitting data.", default="the run before"),
    ] = UNSET


@_reading(
    "score compare",
    api="data/runs/{run}",
    tables=("bands", "differences", "drift"),
    refuses=(RESOURCE_UNKNOWN,),
    title="Compare two scoring runs",
)
async def compare_runs(by: Acting, _found: None, query: TwoRuns) -> score_runs.Comparison:
    """Print what changed between two runs: bands, scores, and how far the inputs drifted (population stability index).

    Figures that an earlier version did not record are null. Companies that left the register are not counted.
    """
    since = "" if query.since is UNSET else query.since
    try:
        return await asyncio.to_thread(score_runs.compared, by.means.settings, query.run, since)
    except score_runs.UnknownRun as error:
        raise Refused(because(RESOURCE_UNKNOWN, str(error)), "manage.unknown") from None


@_reading("", api="settings", id="settings", title="Read the settings")
async def read_settings(by: Acting, _found: None, _query: None) -> SettingStates:
    """Value, source and meaning of every setting. Secrets are asterisks; nothing can be changed here."""
    return SettingStates([msgspec.convert(each, SettingState) for each in settings_shown(by.means.settings)])


@_reading("", api="doctor", title="Examine the public address")
async def run_doctor(by: Acting, _found: None, _query: None) -> Findings:
    """What `credence doctor` prints, seen from this node. It takes some seconds, and changes nothing."""
    found = await examined(by.means.settings, by.means.store, by.now)
    states = [FindingState(each.check, each.outcome.value, each.seen, list(each.to_do)) for each in found]
    return Findings(by.means.settings.issuer, states)


@_reading(
    "health",
    api="health",
    access=Access(MANAGE_READ, "reader"),
    there_only="Only a running server knows its health: name it with --at, as in `credence --at URL health`. "
    "`credence doctor` examines a deployment from outside.",
    title="Read whether the service works",
)
async def service_health(by: Acting, _found: None, _query: None) -> ServiceHealth:
    """Print whether the service works: what `/readyz` says, version, environment, and the nodes that share its store."""
    if by.means.read_health is None:
        raise LookupError("this command was opened without a running server")
    return await by.means.read_health()
