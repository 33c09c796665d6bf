import Foundation

/// The discrete Fourier transform of real sequences of an even length, and back. Double precision.
///
/// Works on a complex transform of half the length (Stockham's, any radix up to 5 and larger primes
/// too), whose result is untangled. Holds scratch memory: one thread at a time.
public final class RealDFT {
  /// Numbers of the sequence; `size / 2 + 1` bins.
  public let size: Int
  private let half: Int
  private let radixes: [Int]
  /// `exp(-2 pi i k / size)` for k below `size`.
  private let cosines: [Double]
  private let sines: [Double]
  private var a: [Double]
  private var b: [Double]

  public init(size: Int) {
    let size = max(2, size + size % 2)
    self.size = size
    half = size / 2
    radixes = Self.factors(of: size / 2)
    let angles = (0..<size).map { -2 * Double.pi * Double($0) / Double(size) }
    cosines = angles.map { cos($0) }
    sines = angles.map { sin($0) }
    a = [Double](repeating: 0, count: size)
    b = [Double](repeating: 0, count: size)
  }

  private static func factors(of number: Int) -> [Int] {
    var (rest, factors): (Int, [Int]) = (number, [])
    for radix in [4, 2, 3, 5] {
      while rest > 1, rest.isMultiple(of: radix) {
        factors.append(radix)
        rest /= radix
      }
    }
    var radix = 7
    while rest > 1 {
      while rest.isMultiple(of: radix) {
        factors.append(radix)
        rest /= radix
      }
      radix += 2
    }
    return factors
  }

  /// - Parameters:
  ///   - input: `size` numbers.
  ///   - power: the squared magnitudes of `size / 2 + 1` bins.
  public func power(_ input: [Double], _ power: inout [Double]) {
    guard input.count == size, power.count == half + 1 else { return }
    for index in 0..<size { a[index] = input[index] }
    transform()
    for bin in 0...half {
      let (real, imaginary) = untangled(bin)
      power[bin] = real * real + imaginary * imaginary
    }
  }

  /// The transform itself.
  ///
  /// - Returns: real and imaginary parts of `size / 2 + 1` bins.
  public func forward(_ input: [Double]) -> (real: [Double], imaginary: [Double]) {
    guard input.count == size else { return ([], []) }
    for index in 0..<size { a[index] = input[index] }
    transform()
    let bins = (0...half).map(untangled)
    return (bins.map(\.0), bins.map(\.1))
  }

  /// The sequence whose transform has these bins; the imaginary parts of the first and the last are
  /// taken for 0.
  ///
  /// - Parameters:
  ///   - real, imaginary: `size / 2 + 1` numbers each.
  ///   - output: `size` numbers.
  public func inverse(_ real: [Double], _ imaginary: [Double], _ output: inout [Double]) {
    guard real.count == half + 1, imaginary.count == half + 1, output.count == size else { return }
    // The half-length spectrum z = even + i odd, conjugated so that the forward transform inverts.
    for bin in 0..<half {
      let mirror = half - bin
      let isEdge = bin == 0
      let (re, im) = (real[bin], isEdge ? 0 : imaginary[bin])
      let (mirrorRe, mirrorIm) = (real[mirror], isEdge ? 0 : -imaginary[mirror])
      let (evenRe, evenIm) = (re + mirrorRe, im + mirrorIm)
      let (differenceRe, differenceIm) = (re - mirrorRe, im - mirrorIm)
      // Times exp(+2 pi i bin / size).
      let (c, s) = (cosines[bin], -sines[bin])
      let (oddRe, oddIm) = (
        differenceRe * c - differenceIm * s, differenceRe * s + differenceIm * c
      )
      a[2 * bin] = evenRe - oddIm
      a[2 * bin + 1] = -(evenIm + oddRe)
    }
    transform()
    let scale = 1 / Double(size)
    for index in 0..<half {
      output[2 * index] = a[2 * index] * scale
      output[2 * index + 1] = -a[2 * index + 1] * scale
    }
  }

  /// Bin `bin` of the real sequence from the transform of its pairs in `a`.
  private func untangled(_ bin: Int) -> (Double, Double) {
    let (low, high) = (bin % half, (half - bin) % half)
    let (zRe, zIm) = (a[2 * low], a[2 * low + 1])
    let (mirrorRe, mirrorIm) = (a[2 * high], -a[2 * high + 1])
    let (evenRe, evenIm) = ((zRe + mirrorRe) / 2, (zIm + mirrorIm) / 2)
    let (oddRe, oddIm) = ((zIm - mirrorIm) / 2, -(zRe - mirrorRe) / 2)
    let (c, s) = bin < half ? (cosines[bin], sines[bin]) : (-1, 0)
    return (evenRe + oddRe * c - oddIm * s, evenIm + oddRe * s + oddIm * c)
  }

  /// The complex transform of the `half` pairs in `a`, in place as seen from outside.
  private func transform() {
    a.withUnsafeMutableBufferPointer { a in
      b.withUnsafeMutableBufferPointer { b in
        guard var from = a.baseAddress, var to = b.baseAddress else { return }
        var (length, stride) = (half, 1)
        for radix in radixes {
          stage(from, to, radix, length: length, stride: stride)
          swap(&from, &to)
          length /= radix
          stride *= radix
        }
        if from != a.baseAddress { to.update(from: from, count: size) }
      }
    }
  }

  /// One stage: `stride` interleaved transforms of `length` become `stride * radix` of
  /// `length / radix`.
  private func stage(
    _ from: UnsafeMutablePointer<Double>, _ to: UnsafeMutablePointer<Double>, _ radix: Int,
    length: Int, stride: Int
  ) {
    let part = length / radix
    // exp(-2 pi i k / length) stands at k * step of the table.
    let step = size / length
    for p in 0..<part {
      for u in 0..<radix {
        let turn = p * u * step % size
        let (turnRe, turnIm) = (cosines[turn], sines[turn])
        for q in 0..<stride {
          var (re, im) = (0.0, 0.0)
          for t in 0..<radix {
            let place = 2 * (q + stride * (p + part * t))
            let angle = t * u % radix * (size / radix)
            let (x, y, c, s) = (
              from[place], from[place + 1], cosines[angle], sines[angle]
            )
            re += x * c - y * s
            im += x * s + y * c
          }
          let place = 2 * (q + stride * (radix * p + u))
          to[place] = re * turnRe - im * turnIm
          to[place + 1] = re * turnIm + im * turnRe
        }
      }
    }
  }
}
