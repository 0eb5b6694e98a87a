"""Counts the different ways in which the games of a run are won, and names the factions that have only one."""

from __future__ import annotations

from sim.commands.options import Options, RunFolder, with_options
from sim.commands.sections import emit_sections


@with_options("html csv png full as_json quiet")
def ways(options: Options, folder: RunFolder) -> None:
    """Say in how many different ways a run's games are won, which ways win too seldom, and who has only one.

    Examples
    --------
    empirelab ways runs/first
    empirelab ways runs/first --html ways.html --png ways.png

    Notes
    -----
    Winners are grouped by the shares of the parts of their score and by what they did (k-means); as many groups count
    as other games show again (prediction strength of 0.8 or more; Tibshirani and Walther 2005). Groups come from one
    half of the deals; the other half says how often seats that score so win. Nothing is played.

    - `of all wins`: how many wins are of this way.
    - `verdict`: `wins more` or `wins less` than the fair share, corrected for all ways.
    - `ways`: the number of equally frequent ways that would be as diverse (exp of the entropy; Hill 1973).
    """
    from reports.data.load import load_run
    from reports.sections.course.ways import ways_section
    from sim.commands.explain import subtitle_of
    from sim.runs.store.verify import reading

    places = options.places
    run = load_run(folder)
    with reading(folder):
        section = ways_section(run)
    emit_sections([section], places, (run.manifest.title, subtitle_of(run.manifest)), {"run": run.manifest})
