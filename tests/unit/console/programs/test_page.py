"""The copy of the console's page on a volume."""

import json
import re

from console.programs import page


def test_a_copy_has_less_than_2_mb_with_the_newest_jobs_of_any_texts(tmp_path):
    jobs = [{"id": 9999 - at, "command": "<b>\u2028é" * 100} for at in range(10_000)]
    file = tmp_path / "new" / "lab.html"
    page.keep_copy(f"<html>{page.PLACE}</html>", str(file), {"name": "lab", "jobs": jobs})
    html = file.read_text("utf-8")
    found = re.search(r'<script type="application/json" id="kept">(.*)</script>', html)
    assert len(html.encode()) < 2_000_000
    assert "<" not in found[1]
    kept = json.loads(found[1])
    assert len(kept["jobs"]) + kept["left"] == 10_000
    assert len(kept["jobs"]) > 400
    assert [job["id"] for job in kept["jobs"]] == list(range(9999, 9999 - len(kept["jobs"]), -1))
