import GGUF
import Testing

@Suite struct GGUFMetadataTests {
  @Test func accessorsTakeEveryWidthAndRefuseOtherTypes() throws {
    var metadata = GGUFMetadata()
    let integers: [GGUFValue] = [
      .uint8(9), .int8(9), .uint16(9), .int16(9), .uint32(9), .int32(9), .uint64(9), .int64(9),
    ]
    for value in integers {
      metadata["n"] = value
      #expect(try metadata.int("n") == 9)
      #expect(throws: GGUFError.wrongType(key: "n", expected: "a float", found: value.type)) {
        try metadata.float("n")
      }
    }
    #expect(GGUFValue.uint64(.max).intValue == nil)
    metadata["n"] = .uint64(.max)
    #expect(throws: GGUFError.integerOutOfRange(key: "n")) { try metadata.int("n") }
    metadata["f"] = .float32(1.5)
    metadata["d"] = .float64(2.5)
    #expect(try metadata.float("f") == 1.5)
    #expect(try metadata.float("d") == 2.5)
    metadata["s"] = .string("x")
    metadata["b"] = .bool(true)
    metadata["a"] = .array(GGUFArray(["p"]))
    #expect(try metadata.string("s") == "x")
    #expect(try metadata.bool("b") == true)
    #expect(try metadata.array("a")?.strings() == ["p"])
    let error = #expect(throws: GGUFError.self) { try metadata.bool("s") }
    #expect(
      error?.description
        == "The value of metadata key 's' is of type string, but must be a bool.")
  }

  @Test func anAbsentKeyIsNil() throws {
    let metadata = GGUFMetadata()
    #expect(try metadata.int("x") == nil)
    #expect(try metadata.string("x") == nil)
    #expect(try metadata.float("x") == nil)
    #expect(try metadata.bool("x") == nil)
    #expect(try metadata.array("x") == nil)
  }

  @Test func keysKeepTheirOrderAndCanBeRemoved() {
    var metadata = GGUFMetadata()
    for key in ["z", "a", "m"] { metadata[key] = .uint8(0) }
    metadata["a"] = .uint8(1)
    #expect(metadata.keys == ["z", "a", "m"])
    metadata["z"] = nil
    metadata["absent"] = nil
    #expect(metadata.keys == ["a", "m"])
    #expect(metadata["a"] == .uint8(1))
    #expect(metadata.count == 2)
  }
}
