import GGUF
import Testing

@Suite struct TensorTypeTests {
  @Test func blocksHaveTheSizesOfTheFormat() {
    let expected: [(TensorType, weights: Int, bytes: Int)] = [
      (.F32, 1, 4), (.F16, 1, 2), (.Q4_0, 32, 18), (.Q4_1, 32, 20), (.Q5_0, 32, 22),
      (.Q5_1, 32, 24), (.Q8_0, 32, 34), (.Q8_1, 32, 36), (.Q2_K, 256, 84), (.Q3_K, 256, 110),
      (.Q4_K, 256, 144), (.Q5_K, 256, 176), (.Q6_K, 256, 210), (.Q8_K, 256, 292), (.I8, 1, 1),
      (.I16, 1, 2), (.I32, 1, 4), (.I64, 1, 8), (.F64, 1, 8), (.BF16, 1, 2), (.TQ1_0, 256, 54),
      (.TQ2_0, 256, 66), (.MXFP4, 32, 17),
    ]
    #expect(
      expected.map(\.0).sorted { $0.rawValue < $1.rawValue }
        == TensorType.allCases.sorted { $0.rawValue < $1.rawValue })
    for (type, weights, bytes) in expected {
      #expect(type.blockSize == weights, "\(type)")
      #expect(type.blockBytes == bytes, "\(type)")
      #expect(type.isQuantized == (weights > 1), "\(type)")
    }
    #expect(TensorType.Q4_K.name == "Q4_K")
    #expect(TensorType(rawValue: 30) == .BF16)
  }

  @Test func impossibleTensorsCannotBeDescribed() {
    func tensor(_ dimensions: [Int], _ type: TensorType) -> TensorInfo? {
      TensorInfo(name: "t", dimensions: dimensions, type: type)
    }
    #expect(tensor([], .F32) == nil)
    #expect(tensor([1, 1, 1, 1, 1], .F32) == nil)
    #expect(tensor([-32], .Q4_0) == nil)
    #expect(tensor([31], .Q4_0) == nil)
    #expect(tensor([.max], .F32) == nil)
    #expect(tensor([1 << 32, 1 << 31], .I8) == nil)
    #expect(tensor([0, 5], .F32)?.byteCount == 0)
    #expect(tensor([0, 5], .F32)?.rowCount == 5)
  }
}
