import GGUF
import Testing

@Suite struct GGUFArrayTests {
  @Test func everyStringIsReadableInAnyOrder() {
    let texts = (0..<100).map { String(repeating: "é", count: $0 % 7) + String($0) }
    let array = GGUFArray(texts)
    #expect(array.count == 100)
    #expect(array.elementType == .string)
    #expect(array.strings() == texts)
    for index in texts.indices.reversed() {
      #expect(array.stringBytes(at: index) == Array(texts[index].utf8))
    }
    var seen: [String] = []
    array.forEachString { index, bytes in
      #expect(index == seen.count)
      seen.append(String(decoding: bytes, as: UTF8.self))
    }
    #expect(seen == texts)
  }

  @Test func stringsOutsideTheArrayAreEmpty() {
    let array = GGUFArray(["a", "b"])
    #expect(array.stringBytes(at: -1).isEmpty)
    #expect(array.stringBytes(at: 2).isEmpty)
    for count in [0, 31, 32, 33, 64] {
      let array = GGUFArray((0..<count).map(String.init))
      #expect(array.stringBytes(at: count).isEmpty)
    }
    #expect(GGUFArray([1] as [Int32]).stringBytes(at: 0).isEmpty)
  }

  @Test func forEachStringPassesErrorsOn() {
    struct Stop: Error {}
    #expect(throws: Stop.self) {
      try GGUFArray(["a"]).forEachString { (_, _) throws(Stop) in throw Stop() }
    }
  }

  @Test func numbersComeBackInTheirOwnKindOnly() {
    #expect(GGUFArray([-1, .max] as [Int32]).ints() == [-1, Int(Int32.max)])
    #expect(GGUFArray([7, .max] as [UInt32]).ints() == [7, Int(UInt32.max)])
    #expect(GGUFArray([0.5, -.infinity] as [Float]).floats() == [0.5, -.infinity])
    #expect(GGUFArray([true, false]).bools() == [true, false])
    #expect(GGUFArray([1.0] as [Float]).ints() == nil)
    #expect(GGUFArray([1] as [Int32]).floats() == nil)
    #expect(GGUFArray([1] as [Int32]).strings() == nil)
    #expect(GGUFArray([1] as [Int32]).bools() == nil)
    #expect(GGUFArray(["1"]).ints() == nil)
  }

  @Test func allWidthsOfIntegersAndFloatsAreRead() throws {
    var raw = RawGGUF()
    func add(_ type: UInt32, _ elements: [[UInt8]]) {
      raw.keys.append(
        .init(
          "\(type)", arrayOf: type, count: UInt64(elements.count), elements: elements.flatMap { $0 }
        ))
    }
    add(0, [[200]])
    add(1, [[200]])
    add(2, [littleEndian(UInt16(60000))])
    add(3, [littleEndian(Int16(-3))])
    add(10, [littleEndian(UInt64(1) << 40), littleEndian(UInt64(5))])
    add(11, [littleEndian(Int64.min)])
    add(12, [littleEndian((0.25 as Double).bitPattern)])
    let metadata = try GGUFFile(bytes: raw.bytes()).metadata
    #expect(try metadata.array("0")?.ints() == [200])
    #expect(try metadata.array("1")?.ints() == [-56])
    #expect(try metadata.array("2")?.ints() == [60000])
    #expect(try metadata.array("3")?.ints() == [-3])
    #expect(try metadata.array("10")?.ints() == [1 << 40, 5])
    #expect(try metadata.array("11")?.ints() == [.min])
    #expect(try metadata.array("12")?.floats() == [0.25])
  }

  @Test func anUnsignedNumberBeyondIntMakesNoInts() throws {
    var raw = RawGGUF()
    raw.keys = [.init("big", arrayOf: 10, count: 1, elements: littleEndian(UInt64.max))]
    #expect(try GGUFFile(bytes: raw.bytes()).metadata.array("big")?.ints() == nil)
  }

  @Test func arraysAreEqualByTypeAndContent() {
    #expect(GGUFArray(["a"]) == GGUFArray(["a"]))
    #expect(GGUFArray(["a"]) != GGUFArray(["b"]))
    #expect(GGUFArray([1] as [Int32]) != GGUFArray([1] as [UInt32]))
    #expect(GGUFArray([] as [Int32]) == GGUFArray([] as [Int32]))
  }
}
