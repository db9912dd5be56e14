"""Parses metrics from standard input with Prometheus' own client library; prints the samples as JSON."""
import json
import sys

from prometheus_client.parser import text_string_to_metric_families

samples = {}
for family in text_string_to_metric_families(sys.stdin.read()):
    assert family.documentation and family.type != "unknown", family.name
    for sample in family.samples:
        labels = ",".join(f"{name}={value}" for name, value in sorted(sample.labels.items()))
        assert (sample.name, labels) not in samples, f"{sample.name}{labels} occurs twice"
        samples[f"{sample.name}{{{labels}}}"] = sample.value
print(json.dumps(samples))
