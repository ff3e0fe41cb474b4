"""A generating command as the public Python SDK has them written: the other end of the platform's chunked protocol."""

import json
import sys

from splunklib.searchcommands import Configuration, GeneratingCommand, Option, dispatch, validators


@Configuration()
class Generate(GeneratingCommand):
    count = Option(require=True, validate=validators.Integer(0))
    text = Option(default="")
    note = Option()
    fail = Option(validate=validators.Boolean(), default=False)

    def generate(self):
        info = self.metadata.searchinfo
        context = self.service.get("authentication/current-context", output_mode="json")
        called_as = json.loads(context.body.read())["entry"][0]["content"]["username"]
        if self.note:
            self.write_warning(self.note)
        for number in range(self.count):
            yield {
                "n": number,
                "text": self.text,
                "list": ["a$b", "c;d"],
                "nested": {"x": [1, "ß"]},
                "user": info.owner,
                "app": info.app,
                "called_as": called_as,
            }
        if self.fail:
            raise RuntimeError("told to fail")


dispatch(Generate, sys.argv, sys.stdin, sys.stdout, __name__)
