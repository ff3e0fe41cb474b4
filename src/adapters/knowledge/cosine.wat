(module
  (memory (export "memory") 1)
  ;; scores[i] = dot(query, vectors[i]); the length of a vector is a multiple of 8 numbers, 32 bytes
  (func (export "scan") (param $query i32) (param $vector i32) (param $score i32) (param $count i32) (param $bytes i32)
    (local $even v128) (local $odd v128) (local $place i32) (local $end i32)
    (block $done
      (loop $rows
        (br_if $done (i32.eqz (local.get $count)))
        (local.set $even (v128.const f32x4 0 0 0 0))
        (local.set $odd (v128.const f32x4 0 0 0 0))
        (local.set $place (local.get $query))
        (local.set $end (i32.add (local.get $query) (local.get $bytes)))
        (loop $columns
          (local.set $even (f32x4.add (local.get $even)
            (f32x4.mul (v128.load (local.get $place)) (v128.load (local.get $vector)))))
          (local.set $odd (f32x4.add (local.get $odd)
            (f32x4.mul (v128.load offset=16 (local.get $place)) (v128.load offset=16 (local.get $vector)))))
          (local.set $vector (i32.add (local.get $vector) (i32.const 32)))
          (local.set $place (i32.add (local.get $place) (i32.const 32)))
          (br_if $columns (i32.lt_u (local.get $place) (local.get $end))))
        (local.set $even (f32x4.add (local.get $even) (local.get $odd)))
        (f32.store (local.get $score)
          (f32.add
            (f32.add (f32x4.extract_lane 0 (local.get $even)) (f32x4.extract_lane 1 (local.get $even)))
            (f32.add (f32x4.extract_lane 2 (local.get $even)) (f32x4.extract_lane 3 (local.get $even)))))
        (local.set $score (i32.add (local.get $score) (i32.const 4)))
        (local.set $count (i32.sub (local.get $count) (i32.const 1)))
        (br $rows)))))
