/// out = x / sqrt(mean(x^2) + eps) * weight. `out` may be `x`.
public func rmsNorm(
  _ x: UnsafePointer<Float>, _ weight: UnsafePointer<Float>, _ count: Int, _ eps: Float,
  _ out: UnsafeMutablePointer<Float>
) {
  let whole = count & ~15
  var squares = SIMD16<Float>(repeating: 0)
  var i = 0
  while i < whole {
    let v = load16(x + i)
    squares += v * v
    i += 16
  }
  if whole < count {
    let v = loadPartial(x + whole, count - whole)
    squares += v * v
  }
  let mean = laneSum(squares) / Float(count)
  let factor = 1 / (mean + eps).squareRoot()
  i = 0
  while i < whole {
    store16(load16(x + i) * factor * load16(weight + i), out + i)
    i += 16
  }
  while i < count {
    out[i] = x[i] * factor * weight[i]
    i += 1
  }
}

/// y += x
public func addInPlace(
  _ y: UnsafeMutablePointer<Float>, _ x: UnsafePointer<Float>, _ count: Int
) {
  let whole = count & ~15
  var i = 0
  while i < whole {
    store16(load16(y + i) + load16(x + i), y + i)
    i += 16
  }
  while i < count {
    y[i] = y[i] + x[i]
    i += 1
  }
}

/// y += scale * x
public func scaleAdd(
  _ y: UnsafeMutablePointer<Float>, _ x: UnsafePointer<Float>, _ scale: Float, _ count: Int
) {
  let whole = count & ~15
  var i = 0
  while i < whole {
    store16(load16(y + i) + load16(x + i) * scale, y + i)
    i += 16
  }
  while i < count {
    y[i] = y[i] + x[i] * scale
    i += 1
  }
}

/// out = gate / (1 + e^-gate) * up. `out` may be `gate` or `up`.
public func siluMultiply(
  _ gate: UnsafePointer<Float>, _ up: UnsafePointer<Float>, _ out: UnsafeMutablePointer<Float>,
  _ count: Int
) {
  let whole = count & ~15
  var i = 0
  while i < whole {
    store16(silu(load16(gate + i)) * load16(up + i), out + i)
    i += 16
  }
  if whole < count {
    let rest = count - whole
    let product = silu(loadPartial(gate + whole, rest)) * loadPartial(up + whole, rest)
    storePartial(product, out + whole, rest)
  }
}

/// out = x / (1 + e^-gate). `out` may be `x` or `gate`.
public func sigmoidMultiply(
  _ gate: UnsafePointer<Float>, _ x: UnsafePointer<Float>, _ out: UnsafeMutablePointer<Float>,
  _ count: Int
) {
  let whole = count & ~15
  var i = 0
  while i < whole {
    store16(load16(x + i) / (1 + exponential(-load16(gate + i))), out + i)
    i += 16
  }
  if whole < count {
    let rest = count - whole
    let sigmoid = 1 + exponential(-loadPartial(gate + whole, rest))
    storePartial(loadPartial(x + whole, rest) / sigmoid, out + whole, rest)
  }
}

/// y += a · b, element by element.
public func multiplyAdd(
  _ y: UnsafeMutablePointer<Float>, _ a: UnsafePointer<Float>, _ b: UnsafePointer<Float>,
  _ count: Int
) {
  let whole = count & ~15
  var i = 0
  while i < whole {
    store16(load16(y + i) + load16(a + i) * load16(b + i), y + i)
    i += 16
  }
  while i < count {
    y[i] = y[i] + a[i] * b[i]
    i += 1
  }
}

@inline(__always)
func silu(_ x: SIMD16<Float>) -> SIMD16<Float> {
  x / (1 + exponential(-x))
}

/// Rotary embedding of one head in place. `cosines` and `sines` hold `rotaryDim / 2` values; pairs
/// are (m, m + rotaryDim/2), or (2m, 2m + 1) when interleaved. Elements from `rotaryDim` on stay.
public func rotate(
  _ x: UnsafeMutablePointer<Float>, _ headDim: Int, _ rotaryDim: Int,
  _ cosines: UnsafePointer<Float>, _ sines: UnsafePointer<Float>, _ interleaved: Bool
) {
  let half = rotaryDim / 2
  let step = interleaved ? 2 : 1
  let distance = interleaved ? 1 : half
  var m = 0
  if !interleaved {
    while m + 16 <= half {
      let (a, b) = (load16(x + m), load16(x + half + m))
      let (c, s) = (load16(cosines + m), load16(sines + m))
      store16(a * c - b * s, x + m)
      store16(b * c + a * s, x + half + m)
      m += 16
    }
  }
  while m < half {
    let first = m * step
    let (a, b) = (x[first], x[first + distance])
    x[first] = a * cosines[m] - b * sines[m]
    x[first + distance] = b * cosines[m] + a * sines[m]
    m += 1
  }
}
