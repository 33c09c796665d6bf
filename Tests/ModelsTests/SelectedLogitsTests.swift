import Compute
import Models
import Testing

@Suite("Logits of a few tokens only")
struct SelectedLogitsTests {
  @Test("are the bits that all logits would have had", arguments: GoldenModel.names)
  func equalBits(name: String) throws {
    let model = try GoldenModel.model(name)
    let vocabulary = model.configuration.vocabularySize
    let prompt: [Int32] = [1, 5, 9, 2, 7]
    for variant in KernelVariant.available {
      for threads in [1, 2] {
        let evaluator = try Evaluator(
          model: model, options: ComputeOptions(threads: threads, kernels: variant))
        let sequence = try SequenceState(model: model, capacity: 16)
        try evaluator.evaluate(prompt, in: sequence)
        let all = Array(evaluator.logits)
        for wanted in [[0], [3, 4, 200], [Int32(vocabulary) - 1, 0, 17, 16], Array(0..<40)]
          as [[Int32]]
        {
          sequence.reset()
          try evaluator.evaluate(prompt, in: sequence, logits: .selected(wanted))
          let selected = Array(evaluator.logits)
          #expect(selected.count == vocabulary)
          for id in wanted where id < vocabulary {
            #expect(selected[Int(id)].bitPattern == all[Int(id)].bitPattern)
          }
          // The others are never larger than what they are.
          for (some, every) in zip(selected, all) {
            #expect(some == -.infinity || some.bitPattern == every.bitPattern)
          }
        }
        sequence.reset()
        try evaluator.evaluate(prompt, in: sequence)
        #expect(Array(evaluator.logits).map(\.bitPattern) == all.map(\.bitPattern))
      }
    }
  }

  @Test("leave out what nobody asked for")
  func leavesOut() throws {
    let model = try GoldenModel.model("rand-dense-q8_0")
    let evaluator = try Evaluator(model: model)
    let sequence = try SequenceState(model: model, capacity: 16)
    try evaluator.evaluate([1, 2, 3], in: sequence, logits: .selected([40]))
    let computed = evaluator.logits.filter { $0 != -.infinity }.count
    #expect(computed == (evaluator.kernels == .blas ? evaluator.logits.count : Compute.panelRows))
  }
}
