import JSON
import Testing

@Suite struct JSONValueTests {
  @Test func accessorsGiveOnlyTheirOwnKind() {
    let value: JSONValue = ["n": nil, "b": true, "i": 3, "d": 2.5, "s": "x", "a": [1], "o": [:]]
    #expect(value["n"]?.isNull == true)
    #expect(value["b"]?.boolValue == true)
    #expect(value["i"]?.intValue == 3)
    #expect(value["i"]?.doubleValue == 3)
    #expect(value["d"]?.doubleValue == 2.5)
    #expect(value["s"]?.stringValue == "x")
    #expect(value["a"]?.arrayValue == [1])
    #expect(value["o"]?.objectValue?.isEmpty == true)
    #expect(value["x"] == nil)
    #expect(value["i"]?.boolValue == nil)
    #expect(value["b"]?.intValue == nil)
    #expect(value["b"]?.doubleValue == nil)
    #expect(value["i"]?.stringValue == nil)
    #expect(value["i"]?["x"] == nil)
    #expect(value["o"]?.arrayValue == nil)
    #expect(value["a"]?.objectValue == nil)
  }

  @Test func wholeDoublesAreIntegersToo() {
    #expect(JSONValue.double(5).intValue == 5)
    #expect(JSONValue.double(5.5).intValue == nil)
    #expect(JSONValue.double(1e300).intValue == nil)
    #expect(JSONValue.double(.nan).intValue == nil)
  }

  @Test func placesOutsideAnArrayAreNil() {
    let value: JSONValue = [1, 2]
    #expect(value[0] == 1)
    #expect(value[1] == 2)
    #expect(value[2] == nil)
    #expect(value[-1] == nil)
    #expect(JSONValue.null[0] == nil)
  }

  @Test func textsAreEqualByTheirBytes() {
    let composed: JSONValue = "\u{E9}"
    let decomposed: JSONValue = "e\u{301}"
    #expect(composed != decomposed)
    #expect(Set([composed, decomposed]).count == 2)
    #expect(JSONValue.int(1) != .double(1))
    #expect(JSONValue.bool(true) != .int(1))
    #expect(Set<JSONValue>([nil, false, 0, 0.0, "", [], [:]]).count == 7)
  }
}

@Suite struct JSONObjectTests {
  @Test(arguments: [3, 8, 9, 100]) func membersKeepTheirOrder(_ count: Int) {
    let keys = (0..<count).map { "key \(($0 * 37) % 101)" }
    var object = JSONObject()
    for (place, key) in keys.enumerated() { object[key] = .int(place) }
    object[keys[1]] = "changed"
    #expect(object.keys == keys)
    #expect(object.count == count)
    #expect(object[keys[1]] == "changed")
    #expect(object[keys[2]] == 2)
    #expect(object["absent"] == nil)
    #expect(object.members.map(\.key) == keys)
    #expect(object.members.map(\.value)[count - 1] == .int(count - 1))

    object[keys[0]] = nil
    object["absent"] = nil
    #expect(object.keys == Array(keys.dropFirst()))
    for (place, key) in keys.enumerated().dropFirst(2) { #expect(object[key] == .int(place)) }
    object[keys[0]] = true
    #expect(object.keys == Array(keys.dropFirst()) + [keys[0]])
  }

  @Test(arguments: [1, 20]) func keysThatOnlyLookAlikeAreDifferent(_ others: Int) {
    var object = JSONObject((0..<others).map { (key: "\($0)", value: .null) })
    object["\u{E9}"] = 1
    object["e\u{301}"] = 2
    #expect(object.count == others + 2)
    #expect(object["\u{E9}"] == 1)
    #expect(object["e\u{301}"] == 2)
  }

  @Test func theOrderDoesNotCountForEquality() {
    let ab: JSONObject = ["a": 1, "b": 2]
    let ba: JSONObject = ["b": 2, "a": 1]
    #expect(ab == ba)
    #expect(ab.hashValue == ba.hashValue)
    #expect(ab != ["a": 1])
    #expect(ab != ["a": 1, "b": 3])
    #expect(ab != ["a": 1, "c": 2])
  }
}
