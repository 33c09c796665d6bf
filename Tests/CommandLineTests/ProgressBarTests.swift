import Synchronization
import Testing

@testable import CommandLineSupport

/// Collects what a bar shows, on a clock set by hand.
private final class Screen: Sendable {
  private let state = Mutex((time: 0.0, shown: [String]()))
  var time: Double {
    get { state.withLock { $0.time } }
    set { state.withLock { $0.time = newValue } }
  }
  var shown: [String] { state.withLock { $0.shown } }

  func display(terminal: Bool, width: Int = 60) -> ProgressBar.Display {
    ProgressBar.Display(
      isTerminal: terminal, width: width,
      write: { text in self.state.withLock { $0.shown.append(text) } },
      now: { self.time })
  }
}

@Suite struct ProgressBarTests {
  @Test func redrawsOneLineOnATerminal() {
    let screen = Screen()
    var bar = ProgressBar("load", display: screen.display(terminal: true))
    bar.update(0)
    screen.time = 0.05
    bar.update(0.3)
    screen.time = 0.2
    bar.update(0.5, note: "half")
    bar.finish()
    #expect(screen.shown.count == 3)
    #expect(screen.shown[0].hasPrefix("\rload [....") && screen.shown[0].contains("0%"))
    #expect(screen.shown[1].contains("####") && screen.shown[1].contains("50% half"))
    #expect(screen.shown[2].hasPrefix("\r ") && screen.shown[2].hasSuffix("\r"))
    #expect(!screen.shown.joined().contains("\n"))
  }

  @Test func printsLinesNowAndThenElsewhere() {
    let screen = Screen()
    var bar = ProgressBar("load", display: screen.display(terminal: false))
    for second in 0...12 {
      screen.time = Double(second)
      bar.update(Double(second) / 12)
    }
    bar.finish()
    #expect(screen.shown == ["load: 41%\n", "load: 83%\n"])
  }

  @Test func saysNothingOfShortWorkElsewhere() {
    let screen = Screen()
    var bar = ProgressBar("load", display: screen.display(terminal: false))
    bar.update(0.5)
    bar.update(1)
    bar.finish()
    #expect(screen.shown.isEmpty)
  }

  @Test(arguments: [Double.nan, -1, 2, .infinity, -.infinity])
  func clampsAnyFraction(fraction: Double) {
    let screen = Screen()
    var bar = ProgressBar("load", display: screen.display(terminal: true))
    bar.update(fraction)
    let expected = fraction > 0 ? "100%" : " 0%"
    #expect(screen.shown.first?.contains(expected) == true)
  }

  @Test(arguments: [0, 1, 5, 20, 200]) func fitsAnyWidth(width: Int) {
    let screen = Screen()
    var bar = ProgressBar("loading", display: screen.display(terminal: true, width: width))
    bar.update(0.5, note: "a note that is rather long")
    let drawn = screen.shown.first.map { $0.count - 1 } ?? 0
    #expect(drawn <= max(1, width - 3))
  }
}

@Suite struct TerminalTests {
  @Test func stylesOnlyWherePeopleWantIt() {
    #expect(Terminal.allowsStyle(interactive: true, environment: [:]))
    #expect(Terminal.allowsStyle(interactive: true, environment: ["NO_COLOR": ""]))
    #expect(!Terminal.allowsStyle(interactive: true, environment: ["NO_COLOR": "1"]))
    #expect(!Terminal.allowsStyle(interactive: true, environment: ["TERM": "dumb"]))
    #expect(!Terminal.allowsStyle(interactive: false, environment: [:]))
  }
}
