"""What the page says when it is asked, against win shares of the rows that were chosen, and in a real browser."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from browsing import opened
from synthetic import STRATEGIES, Truth, play, write_rows, write_run

from reports.data.load import Run, load_run
from reports.data.moments import block_moments
from reports.show.page import environment, render
from reports.show.questions import as_json, page_data
from reports.statistics.choices import Choices, choices_of
from reports.sections.shares import share_report
from reports.statistics.winshare import edge_columns
