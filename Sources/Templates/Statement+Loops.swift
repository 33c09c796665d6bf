/// `{% for target in sequence if filter recursive %}body{% else %}alternative{% endfor %}`.
final class ForStatement: Statement {
  let target: AssignmentTarget
  let sequence: any Expression
  let filter: (any Expression)?
  let isRecursive: Bool
  let body: Block
  let alternative: Block
  let loopID: Int

  init(
    target: AssignmentTarget, sequence: any Expression, filter: (any Expression)?,
    isRecursive: Bool, body: Block, alternative: Block, loopID: Int
  ) {
    self.target = target
    self.sequence = sequence
    self.filter = filter
    self.isRecursive = isRecursive
    self.body = body
    self.alternative = alternative
    self.loopID = loopID
  }

  func execute(_ renderer: Renderer) throws(TemplateError) -> Flow {
    let value = try renderer.evaluate(sequence)
    renderer.position = sequence.position
    return try run(value, depth: 1, scope: renderer.scope, renderer)
  }

  /// Runs the loop; a recursive call runs it again, one level deeper, in the scope it began in.
  func run(
    _ value: TemplateValue, depth: Int, scope outer: Scope, _ renderer: Renderer
  ) throws(TemplateError) -> Flow {
    let items = try renderer.items(of: value)
    let caller = renderer.scope
    let loop = LoopObject(self, items: items, depth: depth, scope: outer, account: renderer.account)
    try renderer.checkDepth(of: loop)
    let scope = Scope(parent: outer)
    // As in Jinja2, rounds that `break` or `continue` ends do not count against the alternative.
    var hasCompletedRound = false
    while let item = try loop.advance(renderer) {
      scope.reset()
      renderer.scope = scope
      try renderer.assign(item, to: target)
      scope[loopID] = .object(loop)
      let flow = try body.execute(renderer)
      if flow == .breakLoop { break }
      hasCompletedRound = hasCompletedRound || flow == .next
    }
    loop.end()
    var flow = Flow.next
    if !hasCompletedRound {
      renderer.scope = Scope(parent: outer)
      // A `break` in the alternative belongs to the loop around this one.
      flow = try alternative.execute(renderer)
    }
    renderer.scope = caller
    return flow
  }

  /// Whether an item passes the loop's `if`.
  func accepts(
    _ item: TemplateValue, scope outer: Scope, _ renderer: Renderer
  ) throws(TemplateError) -> Bool {
    guard let filter else { return true }
    let saved = renderer.scope
    renderer.scope = Scope(parent: outer)
    try renderer.assign(item, to: target)
    let accepted = try renderer.evaluate(filter).isTrue
    renderer.scope = saved
    return accepted
  }
}
