"""Medians, pairwise ratios, and the tables made of them."""

from statistics import median

LOSS = " ▼"


def summarise(pairs: list[dict], higher_is_better: bool = True) -> dict:
    """`pairs` were measured one right after the other: {"ours": x, "peer": y}."""
    ratios = [pair["ours"] / pair["peer"] for pair in pairs]
    return {
        "ours": median(pair["ours"] for pair in pairs),
        "peer": median(pair["peer"] for pair in pairs),
        "ratio": median(ratios), "lowest": min(ratios), "highest": max(ratios),
        "count": len(pairs), "higher_is_better": higher_is_better,
    }


def is_loss(summary: dict) -> bool:
    ratio = summary["ratio"]
    return ratio < 1 if summary["higher_is_better"] else ratio > 1


def ratio_text(summary: dict) -> str:
    return f"{summary['ratio']:.2f}" + (LOSS if is_loss(summary) else "")


def table(headings: list[str], rows: list[list[str]]) -> str:
    lines = [headings, ["---"] + ["---:"] * (len(headings) - 1)] + rows
    return "\n".join("| " + " | ".join(line) + " |" for line in lines) + "\n"


def figure(value: float) -> str:
    return f"{value:,.0f}" if value >= 1000 else f"{value:.1f}" if value >= 10 else f"{value:.2f}"


UNITS = {
    "first token": ("s", 1), "peak memory": ("MB", 1e6), "of it anonymous": ("MB", 1e6),
}


def summary_table(models: list[dict]) -> str:
    """One line per model: ratios of ours to llama.cpp's."""
    names = list(dict.fromkeys(name for model in models for name in model["tests"]))
    rows = [
        [model["name"], model["build"]]
        + [ratio_text(model["tests"][name]) if name in model["tests"] else "" for name in names]
        for model in models
    ]
    return table(["model", "build"] + names, rows)


def detail_table(model: dict) -> str:
    rows = []
    for name, summary in model["tests"].items():
        unit, scale = UNITS.get(name, ("tokens/s", 1))
        extra = ""
        if share := summary.get("read_share"):
            extra = f"{share * 100:.0f} %"
        rows.append([
            name, f"{figure(summary['ours'] / scale)} {unit}",
            f"{figure(summary['peer'] / scale)} {unit}", ratio_text(summary),
            f"{summary['lowest']:.2f}–{summary['highest']:.2f}", str(summary["count"]), extra,
        ])
    return table(
        ["test", "leap-swift", "llama.cpp", "ratio", "lowest–highest", "pairs",
         "our share of the read limit"], rows)


def markdown(result: dict) -> str:
    machine, ours, peer = result["machine"], result["ours"], result["peer"]
    parts = [
        f"# leap-swift and llama.cpp, {result['date']}\n",
        f"{machine['processor']}, {machine['cores']} cores, {machine['kernel']}; "
        f"{result['threads']} threads; reading {result['bandwidth'] / 1e9:.1f} GB/s.\n",
        f"- leap-swift {ours['revision']}, {ours['compiler']}",
    ]
    parts += [
        f"- llama.cpp of llama-cpp-python {facts['version']} ({build}: `{facts['cmake']}`), "
        f"{peer['compiler']}; {facts['system']}"
        for build, facts in peer["builds"].items()
    ]
    shares = [share for model in result["models"] for share in model["busy"]]
    if disturbed := sum(share > 0.1 for share in shares):
        parts.append(
            f"\n**Not to be relied on: other programs used more than a tenth of the machine before "
            f"{disturbed} of {len(shares)} pairs.**")
    parts += [
        "\nRatios are ours to llama.cpp's, each the median of pairs measured one right after the "
        "other in turns, on the same file. `pp`: prompt, `tg`: generation, tokens/s, more is "
        "better; `@ d`: after so many tokens. First token and memory: less is better.\n"
        f"{LOSS.strip()} marks where llama.cpp is better.\n",
        summary_table(result["models"]),
        "First token: from the start of the process to the logits after a prompt of one token, "
        "file in the system's cache; llama.cpp's counts from the start of loading, without Python. "
        "Memory: of a process that evaluates 512 tokens in a context of 512, without what Python "
        "had taken; pages of the mapped file count in the peak, not in the anonymous part.\n",
    ]
    for model in result["models"]:
        parts += [
            f"## {model['name']}, {model['build']}\n", detail_table(model),
            f"Our kernels: {model['kernels']}. llama.cpp: prompts with "
            f"{model['settings']['prompt']}; generation with {model['settings']['generate']}.\n",
        ]
        if tuning := model.get("tuning"):
            rows = [[name, figure(speed)] for name, speed in tuning.items()]
            parts += ["llama.cpp's settings that were tried (tokens/s):\n",
                      table(["setting", "median"], rows)]
    return "\n".join(parts)
