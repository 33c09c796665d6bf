import Compute
import Models
import TestSupport
import Testing

@Suite("Logits against the independent reference")
struct GoldenLogitsTests {
  @Test("every file, variant and cache type within its tolerance", arguments: GoldenModel.names)
  func withinTolerance(name: String) throws {
    let (golden, reference) = try GoldenModel.load(name)
    let model = try GoldenModel.model(name)
    for variant in KernelVariant.available {
      let evaluator = try Evaluator(
        model: model, options: ComputeOptions(threads: 1, kernels: variant))
      for cache in CacheType.allCases {
        let error = try logitError(golden, reference, evaluator, cache)
        let tolerance = cache == .f32 ? golden.tolerance.f32kv : golden.tolerance.f16kv
        print("\(name) \(variant) \(cache): \(error)")
        if variant == .blas && cache == .f32 {
          // Neither activations nor keys and values are rounded: the floor holds for every type.
          #expect(error.rms <= 1e-4)
          #expect(error.maxAbs <= 5e-4)
        }
        #expect(error.rms <= tolerance.rms, "\(variant) \(cache)")
        #expect(error.maxAbs <= tolerance.max_abs, "\(variant) \(cache)")
        #expect(error.klMax <= tolerance.kl_max, "\(variant) \(cache)")
      }
    }
  }

  @Test("greedy choices, fed the reference's tokens", arguments: GoldenModel.names)
  func greedyChoices(name: String) throws {
    let (golden, _) = try GoldenModel.load(name)
    let model = try GoldenModel.model(name)
    for variant in [KernelVariant.best, .blas] where variant.isAvailable {
      let evaluator = try Evaluator(
        model: model, options: ComputeOptions(threads: 1, kernels: variant))
      let exact = variant == .blas
      let cache: CacheType = exact ? .f32 : .f16
      let margin = exact ? 0.002 : golden.tolerance.f16kv.greedy_margin
      var agreed = 0
      var total = 0
      var peerAgreed = 0
      for prompt in golden.prompts {
        guard let greedy = prompt.greedy else { continue }
        peerAgreed += greedy.peer_agrees.count { $0 == "1" }
        let logits = try allLogits(evaluator, prompt.ids + greedy.ids, cache: cache)
        for step in greedy.ids.indices {
          let row = prompt.ids.count - 1 + step
          let choice = argmax(logits[row * golden.n_vocab..<(row + 1) * golden.n_vocab])
          total += 1
          if choice == greedy.ids[step] { agreed += 1 }
          guard greedy.margin[step] >= margin else { continue }
          if !exact, let routes = greedy.route_margin,
            routes[max(0, step - 4)...step].contains(where: { $0 < 0.05 })
          {
            continue
          }
          #expect(choice == greedy.ids[step], "\(variant) \(prompt.name) step \(step)")
        }
      }
      print("\(name) \(variant): greedy \(agreed)/\(total), llama.cpp \(peerAgreed)")
      #expect(total == 144)
      // Near-ties are coin flips: ten of them may fall the other way than the peer's.
      #expect(agreed >= (exact ? total - 1 : peerAgreed - 10))
    }
  }

  private func logitError(
    _ golden: GoldenModel, _ reference: [Float], _ evaluator: Evaluator, _ cache: CacheType
  ) throws -> LogitError {
    var error = LogitError()
    let vocabulary = golden.n_vocab
    for prompt in golden.prompts {
      let logits = try allLogits(evaluator, prompt.ids, cache: cache)
      for (index, position) in prompt.positions.enumerated() {
        let row = prompt.first_row + index
        error.add(
          logits[position * vocabulary..<(position + 1) * vocabulary],
          reference: reference[row * vocabulary..<(row + 1) * vocabulary])
      }
    }
    return error
  }
}
