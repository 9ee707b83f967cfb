# SPDX-License-Identifier: BSD-2-Clause
# A Chromium without a window, told what to do over its DevTools pipe: Debian's Python is all it needs.
import json
import os
import select
import shutil
import subprocess
import tempfile
import time

# Nothing of it is on the network, and nothing it writes outlives it.
OPTIONS = [
    "--headless", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--disable-extensions", "--hide-scrollbars",
    "--force-color-profile=srgb", "--remote-debugging-pipe",
]
DEADLINE_S = 60  # of any one answer


def find():
    """Returns the path of Chromium, None where it is not installed."""
    return shutil.which("chromium")


class Browser:
    """One Chromium with one page. Use it in a `with`: it ends with it."""

    def __init__(self, path):
        self.profile = tempfile.mkdtemp()
        theirs, self.out = os.pipe()
        self.input, ours = os.pipe()
        options = OPTIONS + ["--user-data-dir=" + self.profile] + (["--no-sandbox"] if os.geteuid() == 0 else [])

        def place():  # where --remote-debugging-pipe looks for them
            reads, writes = os.dup(theirs), os.dup(ours)
            os.dup2(reads, 3)
            os.dup2(writes, 4)

        self.process = subprocess.Popen(
            [path] + options + ["about:blank"], preexec_fn=place, close_fds=False,
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(theirs)
        os.close(ours)
        self.rest = b""
        self.number = 0
        self.session = None
        self.said = []  # what a console would show
        self.loaded = False
        target = next(t for t in self.call("Target.getTargets")["targetInfos"] if t["type"] == "page")
        attached = self.call("Target.attachToTarget", targetId=target["targetId"], flatten=True)
        self.session = attached["sessionId"]
        for domain in ("Page", "Runtime", "Log"):
            self.call(domain + ".enable")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for pipe in (self.out, self.input):
            os.close(pipe)
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        shutil.rmtree(self.profile, ignore_errors=True)

    def take(self, until):
        """Waits for one message."""
        while b"\0" not in self.rest:
            if not select.select([self.input], [], [], max(0, until - time.monotonic()))[0]:
                raise TimeoutError("Chromium does not answer")
            more = os.read(self.input, 1 << 20)
            if not more:
                raise EOFError("Chromium has ended")
            self.rest += more
        one, self.rest = self.rest.split(b"\0", 1)
        return json.loads(one)

    def notice(self, event):
        what = event.get("params", {})
        if event.get("method") == "Page.loadEventFired":
            self.loaded = True
        elif event.get("method") == "Runtime.exceptionThrown":
            details = what["exceptionDetails"]
            self.said.append(details.get("exception", {}).get("description", details["text"]))
        elif event.get("method") == "Runtime.consoleAPICalled":
            self.said.append(" ".join(str(a.get("value", a.get("description"))) for a in what["args"]))
        elif event.get("method") == "Log.entryAdded":
            self.said.append(what["entry"]["text"])

    def call(self, method, **params):
        """Calls a method of the DevTools protocol and returns its result."""
        self.number += 1
        request = {"id": self.number, "method": method, "params": params}
        if self.session:
            request["sessionId"] = self.session
        os.write(self.out, json.dumps(request).encode() + b"\0")
        until = time.monotonic() + DEADLINE_S
        while True:
            answer = self.take(until)
            if answer.get("id") != self.number:
                self.notice(answer)
            elif "error" in answer:
                raise RuntimeError(method + ": " + answer["error"]["message"])
            else:
                return answer["result"]

    def look(self, width, height=900, dark=False, media=""):
        """Sets how the next page is looked at: the window in CSS pixels, the scheme, the medium ("print")."""
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        scheme = [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]
        self.call("Emulation.setEmulatedMedia", media=media, features=scheme)

    def open(self, path):
        """Loads the file |path| and forgets what was said before."""
        self.loaded = False
        self.said = []
        self.call("Page.navigate", url="about:blank")
        while not self.loaded:
            self.notice(self.take(time.monotonic() + DEADLINE_S))
        self.loaded = False
        self.call("Page.navigate", url="file://" + os.path.abspath(path))
        while not self.loaded:
            self.notice(self.take(time.monotonic() + DEADLINE_S))

    def ask(self, expression):
        """Returns the value of a JavaScript expression in the page."""
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(answer["exceptionDetails"].get("exception", {}).get("description", expression))
        return answer["result"].get("value")
