"""A page of qd-cov in headless Chromium, opened from its file as a user does."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol

from selenium import webdriver
from selenium.common.exceptions import StaleElementReferenceException
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.ui import WebDriverWait

ROOT = Path(__file__).resolve().parent.parent.parent
WINDOW = (1280, 900)  # pixels
# Elements that are seen: with one question for all of them, since WebElement.is_displayed sends a long script for each.
DISPLAYED = """[...document.querySelectorAll(arguments[0])].filter(one =>
  one.checkVisibility({opacityProperty: true, visibilityProperty: true, contentVisibilityAuto: true}) &&
  [one, ...one.querySelectorAll('*')].some(part => [...part.getClientRects()].some(box => box.width > 0 && box.height > 0)))"""
SCREENSHOTS = Path(os.environ.get("QD_BUILD") or ROOT / "build" / "release") / "screenshots"


@contextmanager
def chromium() -> Iterator[webdriver.Chrome]:
    """Debian's Chromium, which ci/setup --tests installs; without a sandbox, because containers have none."""
    options = webdriver.ChromeOptions()
    for argument in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--hide-scrollbars", f"--window-size={WINDOW[0]},{WINDOW[1]}"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    options.binary_location = "/usr/bin/chromium"
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService("/usr/bin/chromedriver"))
    try:
        yield driver
    finally:
        driver.quit()


class Page:
    """An open page. `screenshot` keeps pictures beside the build, to look at."""

    def __init__(self, driver: webdriver.Chrome, path: Path, address: str = "") -> None:
        self.driver = driver
        driver.get("about:blank")
        # A browser remembers 50 pages; past that it forgets the oldest and "back" leads astray. Tests share one browser.
        driver.execute_cdp_cmd("Page.resetNavigationHistory", {})  # type: ignore[no-untyped-call]
        driver.get(path.resolve().as_uri() + address)

    def all(self, selector: str) -> list[WebElement]:
        """The elements of a selector that are displayed."""
        found: list[WebElement] = self.script(DISPLAYED, selector)
        return found

    def one(self, selector: str) -> WebElement:
        """The only one."""
        (element,) = self.all(selector)
        return element

    def press(self, keys: str) -> None:
        """Keys of the keyboard, wherever the focus is."""
        ActionChains(self.driver).send_keys(keys).perform()

    def fill(self, selector: str, text: str) -> None:
        """Types over the text of a field."""
        field = self.one(selector)
        field.click()
        field.send_keys(Keys.CONTROL, "a")
        field.send_keys(Keys.BACKSPACE, text)

    def wait(self, condition: Callable[[], Any]) -> None:
        """Until something holds; half a minute at most, which a busy machine may take."""
        WebDriverWait(self.driver, 30, ignored_exceptions=(ValueError, StaleElementReferenceException)).until(lambda _: condition())

    def script(self, text: str, *arguments: object) -> Any:
        """The value of a JavaScript expression."""
        return self.driver.execute_script(f"return {text}", *arguments)  # type: ignore[no-untyped-call]

    def each(self, selector: str, expression: str) -> list[Any]:
        """The value of a JavaScript expression of `one`, for each element of a selector."""
        result: list[Any] = self.script(f"[...document.querySelectorAll(arguments[0])].map(one => {expression})", selector)
        return result

    def screenshot(self, name: str) -> None:
        """The window as it is."""
        SCREENSHOTS.mkdir(exist_ok=True, parents=True)
        self.driver.save_screenshot(str(SCREENSHOTS / f"{name}.png"))

    def problems(self) -> list[str]:
        """Complaints of the browser: errors of scripts, loads refused by the content security policy, missing files."""
        return [entry["message"] for entry in self.driver.get_log("browser")]  # type: ignore[no-untyped-call]


class Opened(Protocol):
    """Opens pages; `address` is the part behind the path, from # on."""

    def __call__(self, path: Path, address: str = "") -> Page: ...
